// Makes the planned faults of MongoDB, one after the other, while money moves.
import { setTimeout as pause } from 'node:timers/promises';
import { planFaults } from '../plan-faults.ts';
import { COMMIT_FAILURES, type CommitFailure } from '../engines/mongo-fail-points.ts';
import type { MongoSet } from '../engines/mongo-set.ts';
import type { Fault, MoneyOptions } from './options.ts';

/** A fault that was made: seconds from the start to it, and until it had healed. */
export type Made = { readonly fault: Fault; readonly atS: number; readonly healedS: number };

/** How long a killed member stays away. */
const DOWN_MS = 2000;
/** The commits that fail in a row. */
const FAILED = 20;

/** Makes the faults at their moments. Resolves when the last one has healed, or throws if one does not heal. */
export async function makeFaults(
  set: MongoSet,
  { faults, seconds, seed }: Pick<MoneyOptions, 'faults' | 'seconds' | 'seed'>,
  say: (line: string) => void,
): Promise<Made[]> {
  const began = performance.now();
  const sinceS = (): number => Math.round((performance.now() - began) / 100) / 10;
  const strike = faultsOf(set);
  const made: Made[] = [];
  for (const { fault, share } of planFaults(faults, seed)) {
    await pause(Math.max(0, began + share * seconds * 1000 - performance.now()));
    const atS = sinceS();
    await strike[fault]();
    made.push({ fault, atS, healedS: Math.round((sinceS() - atS) * 10) / 10 });
    say(`${atS} s: ${fault}`);
  }
  return made;
}

function faultsOf(set: MongoSet): Record<Fault, () => Promise<void>> {
  const failures = Object.keys(COMMIT_FAILURES) as CommitFailure[];
  let turn = 0;
  return {
    'step-downs': async () => void (await set.stepDown()),
    'primary-kills': async () => {
      const killed = await set.waitForPrimary();
      await set.kill(killed);
      await set.waitForPrimary();
      await pause(DOWN_MS);
      await set.start(killed);
    },
    'failed-commits': async () => {
      const failure = failures[turn % failures.length] ?? 'closed connection';
      turn += 1;
      await set.failCommits(FAILED, failure);
    },
  };
}
