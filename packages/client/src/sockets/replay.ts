import type { Socket } from 'socket.io-client';
import type { SocketEvent } from '../generated/messages.ts';
import { ANSWER_MS } from '../pause.ts';
import { isRecord } from '../records.ts';
import { createCatchUp } from './catch-up.ts';
import type { Connection } from './connection.ts';
import { hear, isEvent, isSnapshot, newestIn, replayIn, type AnySnapshot } from './heard.ts';
import type { Marks, Verdict } from './marks.ts';
import type { Newcomers } from './newcomers.ts';

/** The callbacks that hear the story of each delivery. */
export type Story<S> = {
  /** Called for each event once, in the order of its delivery, also for those that happened without a connection. */
  readonly onEvent?: ((event: SocketEvent) => void) | undefined;
  /**
   * Called with the whole state of a delivery after each connection.
   * @param skipped true if it stands for events that the service no longer replays
   */
  readonly onSnapshot?: ((snapshot: S, skipped: boolean) => void) | undefined;
};

/** Replayed events follow their snapshot within this time. If they do not, the feed asks for them. */
const REPLAY_MS = 2000;
/** The most deliveries whose whole story is owed. Beyond that, an answer that fails may leave a hole in one of them. */
const MOST_OWED = 5000;
/** The last events of deliveries, and their states after these. */
const ENDS: readonly string[] = ['delivered', 'delivery.failed', 'canceled'];
const END_STATES = ['delivered', 'failed', 'canceled'];

type Around = Pick<Connection, 'watch'> & {
  /** Whether a beacon may name what happened before this feed. */
  readonly isFresh: () => boolean;
  /** The end of the feed. */
  readonly ended: AbortSignal;
};

/** Gives each event on once and in order, and asks for the events that are missing. */
export function createReplay<S extends AnySnapshot>(
  marks: Marks,
  newcomers: Newcomers | null,
  { onEvent, onSnapshot }: Story<S>,
  { isFresh, ended, watch }: Around,
): (socket: Socket) => void {
  const take = (event: SocketEvent): void => {
    const verdict = marks.judge(event.delivery_id, event.sequence);
    if (verdict === 'known') return;
    marks.raise(event.delivery_id, event.sequence);
    if (ENDS.includes(event.type)) marks.end(event.delivery_id);
    onEvent?.(event);
  };
  const [asking, owed] = [new Set<string>(), new Set<string>()];
  const owe = (deliveryId: string): void => {
    if (marks.get(deliveryId) === undefined && owed.size < MOST_OWED) owed.add(deliveryId);
  };
  const resync = createResync(marks, { asking, owed, owe, watch }, take, onSnapshot);
  const later = createDelay(REPLAY_MS, ended);
  return (socket) => {
    const isMissed = (id: string, sequence: number): boolean => socket.connected && (marks.get(id) ?? 0) < sequence;
    const ask = createCatchUp(isMissed, (id) => resync(socket, id), ended);
    const catchUp = (newest: readonly [id: string, sequence: number][]): void => {
      const missed = newest.filter((one) => isMissed(...one));
      for (const [id] of missed) owe(id);
      ask(missed);
    };
    socket.onAny((_name: string, message: unknown) => {
      if (!isEvent(message)) return;
      // The mark of this event would make the owed ones known. It comes with their answer, or with the next beacon.
      if (owed.has(message.delivery_id)) void resync(socket, message.delivery_id);
      else if (judge(marks, newcomers, message) === 'gap') void resync(socket, message.delivery_id);
      else take(message);
    });
    hear(socket, 'snapshot', isSnapshot<S>, (snapshot) => {
      const { delivery_id: deliveryId, sequence, delivery } = snapshot;
      const isUnknown = marks.get(deliveryId) === undefined;
      const wasMissed = !marks.isFull() && newcomers?.isNew(delivery) === true;
      if (isUnknown && (wasMissed || owed.has(deliveryId))) catchUp([[deliveryId, sequence]]);
      // With a mark, events that were requested already would be taken for known ones.
      else if (isUnknown && !asking.has(deliveryId)) marks.raise(deliveryId, sequence);
      newcomers?.learn(deliveryId, delivery);
      later(() => catchUp([[deliveryId, sequence]]));
      if (END_STATES.includes(delivery.status)) marks.end(deliveryId);
      onSnapshot?.(snapshot, false);
    });
    // The beacon of the newest sequences shows also a last event that was lost.
    hear(socket, 'top', isRecord, (top) => {
      // A new feed does not miss what happened before it, and the mark of a known delivery may be dropped.
      const isAll = !(isFresh() || marks.isFull());
      const isOurs = (id: string): boolean => isAll || marks.get(id) !== undefined || owed.has(id);
      catchUp(newestIn(top).filter(([id]) => isOurs(id)));
    });
  };
}

/** Returns a function that does a task after this time, ms, unless the signal comes first. */
function createDelay(ms: number, ended: AbortSignal): (task: () => void) => void {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  // One listener for all tasks: Node 20 warns of a leak if a signal has more than ten.
  ended.addEventListener('abort', () => timers.forEach((timer) => clearTimeout(timer)), { once: true });
  return (task) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      task();
    }, ms);
    timers.add(timer);
  };
}

type Pending = Readonly<Record<'asking' | 'owed', Set<string>>> &
  Pick<Connection, 'watch'> & { readonly owe: (deliveryId: string) => void };

/** Requests the events of a delivery after its mark: `asking` has it meanwhile, and `owed` has it until all events come. */
function createResync<S extends AnySnapshot>(
  marks: Marks,
  { asking, owed, owe, watch }: Pending,
  take: (event: SocketEvent) => void,
  onSnapshot: Story<S>['onSnapshot'],
): (socket: Socket, deliveryId: string) => Promise<void> {
  return async (socket, deliveryId) => {
    if (asking.has(deliveryId) || !socket.connected) return;
    asking.add(deliveryId);
    owe(deliveryId);
    const body = { delivery_id: deliveryId, after: marks.get(deliveryId) ?? 0 };
    const asked: Promise<unknown> = socket.timeout(ANSWER_MS).emitWithAck('resync', body);
    // If the connection is lost with the question, the next handshake names the mark. Without one, the delivery is owed.
    const answer = replayIn<S>(await watch(asked).catch(() => null));
    asking.delete(deliveryId);
    if (answer === null) return;
    owed.delete(deliveryId);
    if ('snapshot' in answer) {
      marks.raise(deliveryId, answer.snapshot.sequence);
      onSnapshot?.(answer.snapshot, true);
      return;
    }
    answer.events.forEach(take);
    marks.raise(deliveryId, answer.through);
  };
}

/** The meaning of an event. A later event of a delivery that began while the feed was away is a gap. */
function judge(
  marks: Marks,
  newcomers: Newcomers | null,
  { delivery_id: deliveryId, sequence, data }: SocketEvent,
): Verdict {
  const isLate = sequence > 1 && marks.get(deliveryId) === undefined && !marks.isFull();
  return isLate && newcomers?.isNew(data.delivery) === true ? 'gap' : marks.judge(deliveryId, sequence);
}
