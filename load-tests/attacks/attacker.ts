// The attacker's process: runs one attack each time it is told to. It is polite to the machine, not to the server: an
// attacker elsewhere would not take the processor away from the users that are measured.
import { setPriority } from 'node:os';
import type { Figures, Target } from './kinds/attack.ts';
import { ATTACKS } from './kinds/table.ts';

/** What the attacker's process is told. */
export type Order = { readonly start: { readonly name: string; readonly target: Target } } | { readonly stop: true };
/** What it answers when an attack has ended. */
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
    // An attack that fails proves nothing: the run reports it.
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
