import { EngineError } from './engine-error.ts';
import type { EngineProcess } from './spawn-engine.ts';
import { nowMs, pauseUnless } from './wait.ts';

type Kept = {
  /** In the words of people, such as "MongoDB". */
  readonly name: string;
  /** Starts it once more. Throws an EngineError with the reason if that fails. */
  readonly start: () => Promise<EngineProcess>;
  /** Why it ended, as sentences. */
  readonly why: (engine: EngineProcess) => string;
  readonly halt: AbortSignal;
  /** Prints what the server has to do without, and that it has it again. */
  readonly warn: (line: string) => void;
};

/** The wait before an engine that ended is started again. It doubles each time until the engine has run for a while. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const STEADY_MS = 60_000;

/** Starts an engine again whenever it ends, until it is halted. Prints each end, each new reason, and each return. */
export async function keepRunning(first: EngineProcess, { name, start, why, halt, warn }: Kept): Promise<void> {
  let [engine, startedAt, waitMs] = [first, nowMs(), FIRST_WAIT_MS];
  for (;;) {
    await engine.end;
    if (halt.aborted) return;
    const endedAt = nowMs();
    if (endedAt - startedAt >= STEADY_MS) waitMs = FIRST_WAIT_MS;
    let told = why(engine);
    warn(`${told} The server starts ${name} again, after pauses that grow from 1 s to a minute.`);
    for (;;) {
      await pauseUnless(halt, waitMs);
      if (halt.aborted) return;
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      try {
        engine = await start();
        break;
      } catch (error) {
        if (halt.aborted) return;
        const reason = error instanceof EngineError ? error.message : String(error);
        if (reason !== told) warn(`${name} did not start again: ${reason}`);
        told = reason;
      }
    }
    startedAt = nowMs();
    warn(`${name} runs again, after ${((startedAt - endedAt) / 1_000).toFixed(1)} s.`);
  }
}
