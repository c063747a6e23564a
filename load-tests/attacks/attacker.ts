// The attacker's process. It runs one attack for each message. It has a low priority, because an attacker on another
// machine would not take the processor away from the measured users.
import { setPriority } from 'node:os';
import type { Figures, Target } from './kinds/attack.ts';
import { ATTACKS } from './kinds/table.ts';

/** A message to the attacker's process. */
export type Order = { readonly start: { readonly name: string; readonly target: Target } } | { readonly stop: true };
/** Its answer when an attack has ended. */
export type Outcome = { readonly figures: Figures } | { readonly problem: string };

const NICENESS = 10;

let running: AbortController | null = null;

async function attack(name: string, target: Target): Promise<void> {
  running = new AbortController();
  try {
    const one = ATTACKS.find((each) => each.name === name);
    if (one === undefined) throw new Error(`there is no attack ${name}`);
    answer({ figures: await one.run(target, running.signal) });
  } catch (error) {
    // An attack that fails proves nothing, so the run reports it.
    answer({ problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function answer(outcome: Outcome): void {
  process.send?.(outcome);
}

setPriority(NICENESS);
process.on('message', (order: Order) => {
  if ('stop' in order) running?.abort();
  else void attack(order.start.name, order.start.target);
});
process.on('disconnect', () => process.exit());
