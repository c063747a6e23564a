import { newId } from '../../../src/domain/ids.ts';
import { reserveDisputed } from '../../../src/money/disputes/book-dispute.ts';
import { DISPUTE_STATES } from '../../../src/money/disputes/dispute.ts';
import type { DisputeStore } from '../../../src/ports/money/disputes.ts';
import { NOON } from '../../builders.ts';
import { aDispute } from '../../money/disputes/a-dispute.ts';
import { anEntry } from '../audit/an-entry.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;
/** A dispute, and a vendor and a delivery with many. */
const KNOWN = { id: newId('dsp'), vendorId: newId('ven'), deliveryId: newId('del') };

/** Calls of every method of the store. */
export function disputeCalls(disputes: DisputeStore): Calls<DisputeStore> {
  const { id, ...of } = KNOWN;
  return {
    add: async () => {
      const limits = { mostOpen: 1000, mostSince: 1000, since: NOON };
      const fresh = aDispute({ vendorId: of.vendorId });
      for (const dispute of [fresh, aDispute({ vendorId: of.vendorId, deliveryId: fresh.deliveryId })])
        await disputes.add(dispute, reserveDisputed(dispute), anEntry(), limits);
    },
    find: () => disputes.find(id),
    replace: () => disputes.replace(aDispute({ id, version: 2 }), [], anEntry()),
    list: async () => {
      const { vendorId, deliveryId } = of;
      for (const subject of [{}, { liveMode: true }, { vendorId, liveMode: false }, { deliveryId }])
        for (const state of [{}, { state: 'rejected' as const }])
          await turnPages((after) => disputes.list({ ...subject, ...state }, { limit: LIMIT, after }));
    },
  };
}

type Row = { readonly _id: string; readonly [field: string]: unknown };

/** Makes one row of the collection from its number. */
export const DISPUTE_ROWS: Record<string, (at: number) => Row> = {
  disputes: (at) => {
    const of = {
      ...(at % 50 === 1 ? { vendorId: KNOWN.vendorId } : {}),
      ...(at % 60 === 2 ? { deliveryId: KNOWN.deliveryId } : {}),
    };
    const state = DISPUTE_STATES[at % 5] ?? 'open';
    const { id, amount, ...rest } = aDispute({ ...of, state, liveMode: at % 5 === 0, createdAt: NOON - at });
    return { _id: at === 0 ? KNOWN.id : id, ...rest, amount: BigInt(amount) };
  },
};
