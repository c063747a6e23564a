import type { Socket } from 'socket.io-client';
import type { Offer, PingAnswer, Positions, SocketEvent } from '../generated/messages.ts';
import type { Problem } from '../generated/types.ts';
import { isProblem } from '../problems.ts';
import { isRecord, type Fields } from '../records.ts';

/** The state of a delivery at one of its events, as far as all readers know it. */
export type AnySnapshot = {
  readonly delivery_id: string;
  readonly sequence: number;
  readonly delivery: { readonly status: string; readonly created_at?: string; readonly updated_at?: string };
};

/** An answer to places demands a wait before their repeat, refuses them, or says how many of them the service has. */
export type PingVerdict =
  | { readonly waitMs: number }
  | { readonly refused: Problem['code'] }
  | Pick<PingAnswer, 'accepted' | 'dropped' | 'reason'>;

type Replayed<S> = { readonly events: readonly SocketEvent[]; readonly through: number } | { readonly snapshot: S };

type Acknowledge = (answer?: object) => void;

/** The wait before places are repeated if their answer is missing, refuses them for now, or demands a wait without a length, ms. */
export const AGAIN_MS = 2000;
/** The shortest and the longest wait, whatever an answer demands, ms. A timer for more than 24 days would fire at once. */
const [LEAST_WAIT_MS, MOST_WAIT_MS] = [100, 60_000];

/**
 * Listens for a message of the service. One that the service does not write so is dropped, because the socket or the app
 * could only fail at it.
 */
export function hear<T>(
  socket: Socket,
  name: string,
  isSound: (message: unknown) => message is T,
  take: (message: T, acknowledge: Acknowledge) => void,
): void {
  socket.on(name, (message: unknown, acknowledge: unknown) => {
    if (isSound(message)) take(message, isCallable(acknowledge) ? acknowledge : () => undefined);
  });
}

export function isEvent(value: unknown): value is SocketEvent {
  if (!isRecord(value) || value['object'] !== 'event' || typeof value['type'] !== 'string') return false;
  const { data } = value;
  return isPlaced(value) && isRecord(data) && (data['delivery'] === undefined || isDelivery(data['delivery']));
}

export function isSnapshot<S extends AnySnapshot>(value: unknown): value is S {
  return isRecord(value) && isPlaced(value) && isDelivery(value['delivery']) && isText(value['delivery']['status']);
}

export function isOffer(value: unknown): value is Offer {
  return isRecord(value) && isText(value['offer_id']) && isTime(value['expires_at']) && isTime(value['server_time']);
}

export function isPositions(value: unknown): value is Positions {
  return isRecord(value) && Array.isArray(value['items']) && value['items'].every((item) => Array.isArray(item));
}

/** The newest sequences in a beacon. */
export function newestIn(beacon: Fields): [id: string, sequence: number][] {
  return Object.entries(beacon).filter((one): one is [string, number] => isSequence(one[1]));
}

/** A number of the service within bounds; the default if it is not a number. */
export function within(value: unknown, least: number, most: number, instead: number): number {
  return typeof value === 'number' && !Number.isNaN(value) ? Math.min(Math.max(value, least), most) : instead;
}

/** The missed events of a delivery, or the snapshot that stands for them; null if the answer has neither. */
export function replayIn<S extends AnySnapshot>(answer: unknown): Replayed<S> | null {
  if (!isRecord(answer) || answer['ok'] !== true) return null;
  const { reset, snapshot, events, through } = answer;
  if (reset === true) return isSnapshot<S>(snapshot) ? { snapshot } : null;
  return Array.isArray(events) && events.every(isEvent) && isSequence(through) ? { events, through } : null;
}

/** The meaning of an answer to places; null if it cannot be read. */
export function verdictIn(answer: unknown): PingVerdict | null {
  if (!isRecord(answer)) return null;
  const { ok, problem, slow_down_ms: waitMs, accepted, dropped, reason } = answer;
  if (ok === false && isRecord(problem) && isText(problem['code'])) {
    return problem['retryable'] === true ? { waitMs: AGAIN_MS } : { refused: problem['code'] as Problem['code'] };
  }
  if (ok !== true || !isSequence(accepted) || !isSequence(dropped)) return null;
  if (waitMs !== undefined) return { waitMs: within(waitMs, LEAST_WAIT_MS, MOST_WAIT_MS, AGAIN_MS) };
  // A newer service may know further reasons.
  return isText(reason)
    ? { accepted, dropped, reason: reason as NonNullable<PingAnswer['reason']> }
    : { accepted, dropped };
}

/** The answer to an action; null if it cannot be read. */
export function answerIn<R extends object>(answer: unknown): R | { readonly problem: Problem } | null {
  if (!isRecord(answer)) return null;
  if ('problem' in answer) return isProblem(answer['problem']) ? { problem: answer['problem'] } : null;
  return answer['ok'] === true ? (answer as R) : null;
}

/** Whether something has its place in the story of a delivery. */
function isPlaced({ delivery_id: deliveryId, sequence }: Fields): boolean {
  return isText(deliveryId) && isSequence(sequence);
}

/** Whether the times of a delivery, as far as it has any, can be read. */
function isDelivery(value: unknown): value is Fields {
  if (!isRecord(value)) return false;
  const times = ['created_at', 'updated_at', 'assigned_at'].map((name) => value[name] ?? null);
  return times.every((time) => time === null || isTime(time));
}

function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTime(value: unknown): boolean {
  return isText(value) && !Number.isNaN(Date.parse(value));
}

function isCallable(value: unknown): value is Acknowledge {
  return typeof value === 'function';
}
