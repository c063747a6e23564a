import type { Facts, No } from './guards.ts';
import type { ActorType } from './states.ts';
import type { Stop, StopState } from './stop.ts';

export type StopVerb = 'arrive' | 'deliver' | 'fail' | 'cancel';

type StopRow = {
  readonly verb: StopVerb;
  readonly from: readonly StopState[];
  readonly to: StopState;
  readonly when?: (stop: Stop, facts: StopFacts, by: ActorType) => No | null;
};

/** A try to reach the recipient, service time in ms. */
export type ContactTry = { readonly at: number; readonly channel: 'call' | 'message' };
export type StopFacts = Pick<Facts, 'now' | 'delivery'> & { readonly contactTries: readonly ContactTry[] };

/** A courier waits this long at a stop before it may fail. */
export const WAIT_BEFORE_FAIL_MS = 5 * 60_000;
/** Two tries to reach the recipient lie at least this far apart. */
export const BETWEEN_TRIES_MS = 60_000;
/** Phones run a little ahead of the server; a try may lie this far in its future. */
const CLOCK_SLACK_MS = 5000;

const OPEN = ['pending', 'arrived'] as const;

/** What can happen to one stop. A pickup that is delivered has been collected. */
// One row per line: this is a table.
// oxfmt-ignore
export const STOP_TRANSITIONS: readonly StopRow[] = [
  { verb: 'arrive',  from: ['pending'], to: 'arrived' },
  { verb: 'deliver', from: OPEN,        to: 'delivered' },
  { verb: 'fail',    from: OPEN,        to: 'failed', when: hasTriedContact },
  { verb: 'cancel',  from: OPEN,        to: 'canceled' },
];

export type StopStep = { readonly ok: true; readonly to: StopState } | ({ readonly ok: false } & No);

/** Judges one verb by one kind of actor on a stop: its next state, or the refusal. Pure. */
export function stepStop(stop: Stop, verb: StopVerb, by: ActorType, facts: StopFacts): StopStep {
  const row = STOP_TRANSITIONS.find((candidate) => candidate.verb === verb && candidate.from.includes(stop.state));
  if (row === undefined)
    return { ok: false, code: 'stop_not_open', metadata: { stop: stop.index, status: stop.state } };
  const no = row.when?.(stop, facts, by) ?? null;
  return no === null ? { ok: true, to: row.to } : { ok: false, ...no };
}

function hasTriedContact(stop: Stop, { now, delivery, contactTries }: StopFacts, by: ActorType): No | null {
  if (by === 'staff') return null;
  const from = delivery.times.pickedUpAt ?? delivery.times.createdAt;
  const tries = contactTries.map(({ at }) => at).filter((at) => at >= from && at <= now + CLOCK_SLACK_MS);
  const hasWaited = stop.arrivedAt !== null && now - stop.arrivedAt >= WAIT_BEFORE_FAIL_MS;
  const hasTriedTwice = tries.length >= 2 && Math.max(...tries) - Math.min(...tries) >= BETWEEN_TRIES_MS;
  if (hasWaited && hasTriedTwice) return null;
  const allowedAt =
    stop.arrivedAt === null ? {} : { allowed_at: new Date(stop.arrivedAt + WAIT_BEFORE_FAIL_MS).toISOString() };
  return { code: 'contact_tries_missing', reason: hasWaited ? 'tries' : 'wait', metadata: allowedAt };
}
