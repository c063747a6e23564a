import type { VendorId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { EXACT } from '../../../engines/shapes/fields.ts';
import { bookOf, vendorAccount } from '../../../money/ledger/accounts.ts';
import { NOTHING } from '../../../money/ledger/decide.ts';
import type { Within } from '../../store-entries.ts';
import { balanceOf } from '../claim-alone.ts';
import { ACCOUNTS } from '../ledger-shapes.ts';
import { ADJUSTMENTS, BY_VENDOR as ADJUSTMENTS_BY_VENDOR } from './adjustment-store.ts';
import { BY_VENDOR, TOP_UPS } from './top-up-shape.ts';

const MODES = [true, false];

/**
 * Refuses `update_not_allowed` if a wallet of the vendor in this currency is in use. With another currency the vendor
 * would have another wallet, and leave money, debts and what is pending behind.
 */
export function createRefuseUsedWallets(mongo: Mongo) {
  return async (vendorId: VendorId, currency: string, within: Within): Promise<void> => {
    const wallets = MODES.map((liveMode) => vendorAccount('wallet', vendorId, bookOf(liveMode, currency)));
    const rows = mongo.collection(ACCOUNTS).find({ _id: { $in: wallets } }, { ...within, ...EXACT });
    for (const row of await rows.toArray()) {
      const { posted, held, owed } = balanceOf(row);
      if (posted !== NOTHING.posted || held !== NOTHING.held || owed !== NOTHING.owed)
        throw inUse(`a wallet of the vendor in ${currency} has money, holds or a debt`);
    }
    const ofVendor = { vendorId, liveMode: { $in: MODES }, currency };
    const onlyId = { ...within, projection: { _id: 1 } };
    const [topUps, adjustments] = [mongo.collection(TOP_UPS), mongo.collection(ADJUSTMENTS)];
    const topUp = await topUps.findOne({ ...ofVendor, state: 'pending' }, { ...onlyId, hint: BY_VENDOR });
    if (topUp !== null) throw inUse(`a top-up in ${currency} is pending`);
    const asked = { ...ofVendor, state: 'awaiting_approval' } as const;
    const adjustment = await adjustments.findOne(asked, { ...onlyId, hint: ADJUSTMENTS_BY_VENDOR });
    if (adjustment !== null) throw inUse(`an adjustment in ${currency} awaits its approval`);
  };
}

function inUse(why: string): Refusal {
  const reason = 'wallet_in_use';
  const detail = `\`/currency\` cannot change while ${why}.`;
  return new Refusal('update_not_allowed', {
    reason,
    detail,
    errors: [{ pointer: '/currency', code: reason, message: detail }],
  });
}
