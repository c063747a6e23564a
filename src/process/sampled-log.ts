import type { Clock, Log, Stop } from '../ports/process.ts';

/** Machine time for which further lines of a message are only counted. */
const PERIOD_MS = 60_000;

type Level = 'info' | 'warn' | 'error';
type Sample = { readonly level: Level; readonly message: string; fields: object; more: number };

/**
 * Writes the first line of each message and counts the following ones. Once a minute it writes the last of them with
 * their number as `more`, so that a flood of requests does not flood the log. A line with a `requestId` is always
 * written, because a caller may report that id. The server has few different messages.
 */
export function sampleLog(log: Log, clock: Pick<Clock, 'real'>): { readonly log: Log; readonly stop: Stop } {
  const samples = new Map<string, Sample>();
  const at =
    (level: Level) =>
    (fields: object, message: string): void => {
      const key = `${level} ${message}`;
      const known = samples.get(key);
      if (known !== undefined && !('requestId' in fields)) {
        known.more += 1;
        known.fields = fields;
        return;
      }
      if (known === undefined) samples.set(key, { level, message, fields, more: 0 });
      log[level](fields, message);
    };
  const stop = clock.real.every(PERIOD_MS, () => {
    for (const [key, sample] of samples) {
      const { level, message, fields, more } = sample;
      if (more === 0) samples.delete(key);
      else log[level]({ ...fields, more }, message);
      sample.more = 0;
    }
  });
  return { log: { ...log, info: at('info'), warn: at('warn'), error: at('error') }, stop };
}
