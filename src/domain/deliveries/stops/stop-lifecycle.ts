import { isoTime } from '../../time.ts';
import { distanceM } from '../../geo/geo.ts';
import type { Facts } from '../guards.ts';
import { judgeProof } from '../../proof/judge-proof.ts';
import type { Position } from '../../couriers/position.ts';
import type { No } from '../../refusals/refusals.ts';
import type { ActorType, Verb } from '../states.ts';
import { OPEN_STOP_STATES, type Stop, type StopState } from './stop.ts';

export type StopVerb = 'arrive' | 'deliver' | 'fail' | 'cancel';

type StopRow = {
  readonly verb: StopVerb;
  readonly from: readonly StopState[];
  readonly to: StopState;
  /** All guards must pass. The first that fails decides the refusal. */
  readonly when: readonly StopGuard[];
};
type StopGuard = (stop: Stop, facts: StopFacts, by: ActorType) => No | null;

/** A try to reach the recipient, service time in ms. */
export type ContactTry = { readonly at: number; readonly channel: 'call' | 'message' };
export type StopFacts = Pick<Facts, 'now' | 'delivery'> & {
  readonly contactTries: readonly ContactTry[];
  /** The courier's last position, however old; null if unknown. */
  readonly position: Position | null;
  /** Why the courier acts away from the stop; null if they give no reason. */
  readonly overrideReason: string | null;
};

/** How close to a stop a courier must be to act there, metres. */
export const NEAR_STOP_M = 300;
/** An older position no longer says where the courier is: a scooter rides a kilometre in two minutes. */
export const OLDEST_POSITION_MS = 2 * 60_000;

/** How long a courier must wait at a stop before they may fail it. */
export const WAIT_BEFORE_FAIL_MS = 5 * 60_000;
/** The least time between two tries to reach the recipient. */
export const BETWEEN_TRIES_MS = 60_000;
/** Phones run a little ahead of the server. The time of a try may lie this far in the server's future. */
const CLOCK_SLACK_MS = 5000;

/** Everything that can happen to one stop. A delivered pickup has been collected. */
// One row per line: this is a table.
// oxfmt-ignore
export const STOP_TRANSITIONS: readonly StopRow[] = [
  { verb: 'arrive',  from: ['pending'],      to: 'arrived',   when: [isAtStop] },
  { verb: 'deliver', from: OPEN_STOP_STATES, to: 'delivered', when: [isAtStop, hasProof] },
  { verb: 'fail',    from: OPEN_STOP_STATES, to: 'failed',    when: [isAtStop, hasTriedContact] },
  { verb: 'cancel',  from: OPEN_STOP_STATES, to: 'canceled',  when: [] },
];

/** The stop that a verb of the delivery changes: the pickup, the drop-off it names, or every open drop-off. */
export const STOP_VERBS = {
  arrive_pickup: 'arrive',
  pick_up: 'deliver',
  arrive_drop_off: 'arrive',
  deliver: 'deliver',
  fail: 'fail',
  cancel: 'cancel',
} as const satisfies Partial<Record<Verb, StopVerb>>;
export type VerbAtStop = Exclude<keyof typeof STOP_VERBS, 'cancel'>;

export type StopStep = { readonly ok: true; readonly to: StopState } | ({ readonly ok: false } & No);

/** Judges one verb by one kind of actor on a stop: returns the next state, or the refusal. Pure. */
export function stepStop(stop: Stop, verb: StopVerb, by: ActorType, facts: StopFacts): StopStep {
  const row = STOP_TRANSITIONS.find((candidate) => candidate.verb === verb && candidate.from.includes(stop.state));
  if (row === undefined) {
    const detail = `Stop ${stop.index} is already \`${stop.state}\`.`;
    return { ok: false, code: 'stop_not_open', detail, metadata: { stop: stop.index, status: stop.state } };
  }
  for (const guard of row.when) {
    const no = guard(stop, facts, by);
    if (no !== null) return { ok: false, ...no };
  }
  return { ok: true, to: row.to };
}

/** Staff act from a desk, and the system uses its own circle. Only a courier has to be there, or give a reason. */
function isAtStop(stop: Stop, { now, position, overrideReason }: StopFacts, by: ActorType): No | null {
  if (by !== 'courier' || overrideReason !== null) return null;
  const ageMs = position === null ? Infinity : now - position.at;
  if (position === null || ageMs > OLDEST_POSITION_MS) return positionUnknown(ageMs);
  const awayM = Math.round(distanceM(position, stop.place));
  if (awayM <= NEAR_STOP_M) return null;
  const where = `The courier is ${awayM} m from stop ${stop.index}, and ${NEAR_STOP_M} m are allowed.`;
  return {
    code: 'too_far_from_stop',
    detail: `${where} ${SAY_WHY}`,
    metadata: { distance_m: awayM, at_most_m: NEAR_STOP_M },
  };
}

const SAY_WHY = 'To act from there, name an `override_reason`.';

function positionUnknown(ageMs: number): No {
  const ageS = ageMs === Infinity ? null : Math.round(ageMs / 1000);
  const mostS = OLDEST_POSITION_MS / 1000;
  const what = ageS === null ? 'The server has no position of the courier.' : `The last position is ${ageS} s old.`;
  return {
    code: 'courier_position_unknown',
    detail: `${what} Send a position that is at most ${mostS} s old, or name an \`override_reason\`.`,
    metadata: { age_s: ageS, at_most_s: mostS },
  };
}

/** The proof that the vendor requires at the stop must be complete. */
function hasProof(stop: Stop, { overrideReason }: StopFacts, by: ActorType): No | null {
  return judgeProof(stop, overrideReason, by);
}

function hasTriedContact(stop: Stop, { now, delivery, contactTries }: StopFacts, by: ActorType): No | null {
  // The time of a test is set by its robo-courier, who has nobody to call.
  if (by === 'staff' || delivery.robo !== null) return null;
  const from = delivery.times.pickedUpAt ?? delivery.times.createdAt;
  const tries = contactTries.map(({ at }) => at).filter((at) => at >= from && at <= now + CLOCK_SLACK_MS);
  const hasWaited = stop.arrivedAt !== null && now - stop.arrivedAt >= WAIT_BEFORE_FAIL_MS;
  const hasTriedTwice = tries.length >= 2 && Math.max(...tries) - Math.min(...tries) >= BETWEEN_TRIES_MS;
  if (hasWaited && hasTriedTwice) return null;
  return hasWaited ? lacksTries(tries.length) : lacksWait(stop);
}

function lacksTries(count: number): No {
  const detail = `\`/contact_tries\` must have two tries since the pickup that are at least one minute apart; ${count} were since then.`;
  const errors = [{ pointer: '/contact_tries', code: 'too_few', message: detail }];
  return { code: 'contact_tries_missing', reason: 'tries', detail, errors, metadata: {} };
}

function lacksWait({ arrivedAt }: Stop): No {
  const rule = 'The courier must wait at the stop for 5 minutes before they give it up';
  if (arrivedAt === null) {
    const detail = `${rule}; they have not arrived yet.`;
    return { code: 'contact_tries_missing', reason: 'wait', detail, metadata: {} };
  }
  const allowedAt = isoTime(arrivedAt + WAIT_BEFORE_FAIL_MS);
  const detail = `${rule}, until ${allowedAt}.`;
  return { code: 'contact_tries_missing', reason: 'wait', detail, metadata: { allowed_at: allowedAt } };
}
