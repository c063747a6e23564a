import { each } from '../../work/each.ts';
import { startLed } from '../../work/hold-lease.ts';
import type { Turn } from '../../work/hold-lease.ts';
import type { CourierDocument } from '../../domain/couriers/document.ts';
import type { Context } from '../../ports/context.ts';
import { settleDocument, type SettleNeeds } from './settle-document.ts';

/** Service time between two looks, and the least machine time. Documents expire by the day. */
const EVERY_MS = 10_000;
const LEAST_REAL_MS = 500;
/** Documents that one turn settles. */
const MOST = 100;
const AT_ONCE = 4;
/** Service time after which a document that could not be settled is due again, so that it does not block others. */
const AGAIN_MS = 60_000;

type Needs = SettleNeeds & Pick<Context, 'leases'>;

/** Settles documents that are due, in one process at a time. */
export function startWatchingDocuments(ctx: Needs): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'documents',
    everyMs: EVERY_MS,
    leastRealMs: LEAST_REAL_MS,
    turn: settleDue(ctx),
  });
}

/** Makes a turn that settles due documents: it warns, expires, suspends, and finishes what a crash has cut short. */
export function settleDue(ctx: SettleNeeds): Turn {
  const { clock, documents } = ctx;
  const settle = async (document: CourierDocument): Promise<void> => {
    try {
      await settleDocument(ctx, document.id);
    } catch (error) {
      await documents.putOff(document, { dueAt: clock.now() + AGAIN_MS });
      throw error;
    }
  };
  return async (ownsLease) => each(await documents.listDue(clock.now(), MOST), ownsLease, settle, AT_ONCE);
}
