import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Mongo } from '../../engines/mongo.ts';
import type { RefuseLeft } from '../transact-alone.ts';
import { VENDORS } from './vendor-shapes.ts';

const LEFT = 'The currency of the vendor has just changed. Send the request again.';

/**
 * Makes what refuses `busy` if a vendor has another currency by now, within a transaction of `moneyOf`. A retry then uses
 * the new currency.
 */
export function createRefuseLeftCurrency(mongo: Mongo): RefuseLeft {
  const vendors = mongo.collection(VENDORS);
  return async (vendorId, currency, session) => {
    const left = { _id: vendorId, currency: { $ne: currency } };
    const vendor = await vendors.findOne(left, { session, projection: { _id: 1 } });
    if (vendor !== null) throw new Refusal('busy', { detail: LEFT });
  };
}
