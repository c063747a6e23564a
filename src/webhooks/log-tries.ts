import type { RegistrationId } from '../domain/ids.ts';
import type { Context } from '../ports/context.ts';
import type { Attempt, EndedAttempt } from '../ports/webhooks.ts';
import type { Posted } from './post-attempt.ts';

/** Lines about one registration in a minute of machine time: a receiver that is down fails hundreds of tries. */
const MOST_LINES = 5;
const WINDOW_MS = 60_000;
/** Registrations counted at a time; the one counted longest is forgotten first. */
const MOST_COUNTED = 1000;
const MOST_CHARACTERS = 200;

export type FailureLog = {
  /** Tells of a failed try whose receiver it was, how it answered and when the next try is. */
  readonly tellTry: (attempt: Attempt, posted: Posted) => void;
  /** Tells of an attempt that ended without a try, and why. */
  readonly tellEnded: (attempt: EndedAttempt) => void;
};

type Window = { readonly from: number; lines: number; leftOut: number };

/**
 * The log of webhooks that failed. Of the failures of one registration in a minute the first five are told, and the next
 * line says how many were left out.
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
      tell(registration.id, fields, isOver ? 'a webhook failed for good' : 'a webhook failed and will be tried again');
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
