import type { RegistrationId } from '../domain/ids.ts';
import type { Context } from '../ports/context.ts';
import type { Attempt, EndedAttempt } from '../ports/webhooks.ts';
import type { Posted } from './post-attempt.ts';

/** Lines about one registration in a minute of machine time, because a receiver that is down fails hundreds of tries. */
const MOST_LINES = 5;
const WINDOW_MS = 60_000;
/** Most registrations in memory. The oldest entry is forgotten first. */
const MOST_COUNTED = 1000;
const MOST_CHARACTERS = 200;

export type FailureLog = {
  /** Logs a failed try with its receiver, its answer and the time of the next try. */
  readonly tellTry: (attempt: Attempt, posted: Posted) => void;
  /** Logs an attempt that ended without a try, with the reason. */
  readonly tellEnded: (attempt: EndedAttempt) => void;
};

type Window = { readonly from: number; lines: number; leftOut: number };

/**
 * Creates the log of failed webhooks. For each registration it writes the first five failures in a minute. The next line
 * says how many were left out.
 */
export function createFailureLog({ clock, log }: Pick<Context, 'clock' | 'log'>): FailureLog {
  const windows = new Map<RegistrationId, Window>();
  const tell = (registrationId: RegistrationId, fields: object, message: string): void => {
    const now = clock.real.elapsed();
    const known = windows.get(registrationId);
    const isNew = known === undefined || now - known.from >= WINDOW_MS;
    const window = isNew ? { from: now, lines: 0, leftOut: known?.leftOut ?? 0 } : known;
    if (isNew) remember(windows, registrationId, window);
    if (window.lines >= MOST_LINES) {
      window.leftOut += 1;
      return;
    }
    window.lines += 1;
    const leftOut = window.leftOut === 0 ? {} : { left_out: window.leftOut };
    log.warn({ registration_id: registrationId, ...fields, ...leftOut }, message);
    window.leftOut = 0;
  };
  return {
    tellTry: ({ id, number, registration }, { outcome, nextAt }) => {
      if (outcome.error === null) return;
      const fields = {
        vendor_id: registration.vendorId,
        url_host: new URL(registration.url).host.slice(0, MOST_CHARACTERS),
        attempt_id: id,
        attempt_number: number,
        status: outcome.status,
        error: outcome.error.slice(0, MOST_CHARACTERS),
        took_ms: outcome.tookMs,
        next_at: nextAt === null ? null : new Date(nextAt).toISOString(),
      };
      const isOver = nextAt === null;
      tell(registration.id, fields, isOver ? 'a webhook failed permanently' : 'a webhook failed and will be retried');
    },
    tellEnded: ({ id, registrationId, vendorId, error }) =>
      tell(registrationId, { vendor_id: vendorId, attempt_id: id, error }, 'a webhook ended without a try'),
  };
}

function remember(windows: Map<RegistrationId, Window>, id: RegistrationId, window: Window): void {
  windows.delete(id);
  windows.set(id, window);
  for (const oldest of windows.keys()) {
    if (windows.size <= MOST_COUNTED) return;
    windows.delete(oldest);
  }
}
