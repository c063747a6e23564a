import type { VendorId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { bookOf, vendorAccount } from '../../../money/ledger/accounts.ts';
import { accountId } from '../../common-fields.ts';
import type { Within } from '../../store-entries.ts';
import { ACCOUNTS } from '../ledger-shapes.ts';
import { SETTLEMENT_ACCOUNTS } from '../settlement/settlement-shapes.ts';
import { ADJUSTMENTS, BY_VENDOR as ADJUSTMENTS_BY_VENDOR } from './adjustment-store.ts';
import { BY_VENDOR, TOP_UPS } from './top-up-shape.ts';

const MODES = [true, false];
const ONLY_ID = { projection: { _id: 1 } } as const;

/** Says whether the vendor has a delivery in this currency. */
type HasDelivery = (mongo: Mongo, vendorId: VendorId, currency: string, within: Within) => Promise<boolean>;

/**
 * Refuses `update_not_allowed` if the vendor ever had money in this currency, or may get some. With another currency it
 * would have another wallet. Nobody would see what is left in this one, or what comes back to it later.
 */
export function createRefuseUsedWallets(mongo: Mongo, hasDelivery: HasDelivery) {
  return async (vendorId: VendorId, currency: string, within: Within): Promise<void> => {
    const only = { ...within, ...ONLY_ID };
    const books = MODES.map((liveMode) => bookOf(liveMode, currency));
    const wallets = books.map((book) => vendorAccount('wallet', vendorId, book));
    const wallet = await mongo.collection(ACCOUNTS).findOne({ _id: { $in: wallets } }, only);
    if (wallet !== null) throw inUse(`has used a wallet in ${currency}`);
    const settled = books.map((book) => accountId({ vendorId, book }));
    const account = await mongo.collection(SETTLEMENT_ACCOUNTS).findOne({ _id: { $in: settled } }, only);
    if (account !== null) throw inUse(`has a settlement in ${currency}`);
    const ofVendor = { vendorId, liveMode: { $in: MODES }, currency };
    const topUp = await mongo.collection(TOP_UPS).findOne(ofVendor, { ...only, hint: BY_VENDOR });
    if (topUp !== null) throw inUse(`has a top-up in ${currency}`);
    const asked = { ...ofVendor, state: 'awaiting_approval' } as const;
    const adjustments = mongo.collection(ADJUSTMENTS);
    const adjustment = await adjustments.findOne(asked, { ...only, hint: ADJUSTMENTS_BY_VENDOR });
    if (adjustment !== null) throw inUse(`has an adjustment in ${currency} that awaits its approval`);
    // The end of a delivery may owe the vendor its order value, even if the platform pays the whole fee.
    if (await hasDelivery(mongo, vendorId, currency, within)) throw inUse(`has a delivery in ${currency}`);
  };
}

function inUse(why: string): Refusal {
  const reason = 'wallet_in_use';
  const detail = `\`/currency\` cannot change, because the vendor ${why}.`;
  return new Refusal('update_not_allowed', {
    reason,
    detail,
    errors: [{ pointer: '/currency', code: reason, message: detail }],
  });
}
