import { isCheckDue } from '../../money/ledger/check.ts';
import type { Context } from '../../ports/context.ts';
import { restAfter } from '../../work/each-due.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'ledgerChecks' | 'log' | 'settings'>;

/** Service time between two looks whether a check is due, and the least machine time. */
const EVERY_MS = 600_000;
const LEAST_REAL_MS = 1000;

/** Checks the whole ledger once a day, in one process at a time. */
export function startCheckingLedger(ctx: Needs & Pick<Context, 'leases'>): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'ledger check',
    everyMs: EVERY_MS,
    leastRealMs: LEAST_REAL_MS,
    turn: (ownsLease) => checkIfDue(ctx, ownsLease),
  });
}

/**
 * Checks the ledger if that is due, logs what it found and stores it. It rests after each piece, so that requests do
 * not wait for the check. If the process loses its lease, it stores nothing and the next one begins
 * again.
 */
export async function checkIfDue(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const { clock, ledgerChecks, log, settings } = ctx;
  const { real } = clock;
  const checkedAt = clock.now();
  if (!isCheckDue(await ledgerChecks.findLast(), checkedAt, settings.ledger.checkAfterMs)) return;
  const startedAt = real.elapsed();
  let pieceAt = startedAt;
  const check = await ledgerChecks.run(async () => {
    await restAfter(real, pieceAt);
    pieceAt = real.elapsed();
    return ownsLease();
  });
  if (check === null) return;
  const { ok, entries, accounts, head, faultCount, faults } = check;
  const about = { entries, accounts, head, tookS: Math.round((real.elapsed() - startedAt) / 1000) };
  if (ok) log.audit(about, 'the ledger is sound: each entry, each balance, each book and the chain of hashes');
  else log.error({ ...about, faultCount, faults }, UNSOUND);
  // Only now, so that faults are in the log even if the process ends in between.
  if (ownsLease()) await ledgerChecks.put({ checkedAt, entries, faultCount });
}

const UNSOUND =
  'the ledger has faults, so somebody must look at it: approve no payouts, keep a copy of the database, and find out what changed the rows that the faults name; the ledger is checked again in an hour';
