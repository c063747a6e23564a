// Runs attacks in another process, so that their work is not measured as a delay of the server.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figures, Target } from './kinds/attack.ts';
import type { Order, Outcome } from './attacker.ts';

export type Attacker = {
  /** Starts an attack. The result stops it and returns its figures. */
  start(name: string, target: Target): () => Promise<Figures>;
  close(): void;
};

/** An attack that has been stopped must end within this time, ms. */
const STOP_MS = 20_000;

/** Starts the attacker's process. */
export function startAttacker(): Attacker {
  const child = fork(join(import.meta.dirname, 'attacker.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const order = (what: Order): void => void child.send(what);
  return {
    start: (name, target) => {
      const ended = once(child, 'message') as Promise<[Outcome]>;
      order({ start: { name, target } });
      return async () => {
        order({ stop: true });
        const late = new AbortController();
        const tooLate = pause(STOP_MS, null, { signal: late.signal, ref: false }).catch(() => null);
        const outcome = await Promise.race([ended, tooLate]);
        late.abort();
        if (outcome === null) throw new Error(`the attack ${name} did not stop within ${STOP_MS} ms`);
        const [result] = outcome;
        if ('problem' in result) throw new Error(`the attack ${name} failed: ${result.problem}`);
        return result.figures;
      };
    },
    close: () => void child.kill('SIGKILL'),
  };
}
