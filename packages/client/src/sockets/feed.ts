import type { Socket } from 'socket.io-client';
import { tokenOf, type Credential } from '../credentials.ts';
import type { SocketEvent } from '../generated/messages.ts';
import type { Problem } from '../generated/types.ts';
import { ANSWER_MS, type Backoff } from '../pause.ts';
import { NoAnswer, ServiceProblem } from '../problems.ts';
import { isRecord } from '../records.ts';
import { createCatchUp } from './catch-up.ts';
import { keepConnected, type Connection, type ConnectionOptions, type ConnectionState } from './connection.ts';
import { hear, isEvent, isSnapshot, newestIn, replayIn, type AnySnapshot } from './heard.ts';
import { createMarks, type Marks, type Verdict } from './marks.ts';
import { createFreshness, createNewcomers, type Newcomers } from './newcomers.ts';

export type FeedOptions<S> = {
  /** The address of the service. With several, a lost connection goes on to the next. */
  readonly baseUrl: string | readonly string[];
  /** The newest sequence of each delivery that an earlier run has handled, from `lastSeq`. The service replays later ones. */
  readonly lastSeq?: Readonly<Record<string, number>> | undefined;
  /** Called for each event once, in the order of its delivery, also for those that happened without a connection. */
  readonly onEvent?: ((event: SocketEvent) => void) | undefined;
  /**
   * Called with the whole state of a delivery after each connection.
   * @param skipped true if it stands for events that the service no longer replays
   */
  readonly onSnapshot?: ((snapshot: S, skipped: boolean) => void) | undefined;
  readonly onState?: ((state: ConnectionState) => void) | undefined;
  /** The service refused the credential or the login for good, and the feed is closed. */
  readonly onRefused?: ((problem: Problem) => void) | undefined;
  /** The login of the session failed by an error of the app, and the feed is closed. A `NoAnswer` only leads to another try. */
  readonly onLoginFailed?: ((error: unknown) => void) | undefined;
  readonly backoff?: Backoff | undefined;
};

export type Feed = {
  /** The newest sequence of each delivery, at most 500. Store it to continue after a restart. */
  lastSeq(): Record<string, number>;
  /**
   * Begins a lost connection again within 4 s, and repeats a renewal of tokens that has no answer at once. An open connection
   * that shows no sign of life within 4 s is replaced. Call it when the system says that the network is back, or when the app
   * is shown.
   */
  hurry(): void;
  close(): void;
};

/** The service replays at most this many deliveries to a connection. */
const MOST_NAMED = 500;
/** Replayed events follow their snapshot within this time. If they do not, the feed asks for them. */
const REPLAY_MS = 2000;
const RENEWAL_MS = 30_000;
/** The most deliveries whose whole story is owed. Beyond that, an answer that fails may leave a hole in one of them. */
const MOST_OWED = 5000;
/** A refusal of these kinds will be the same again. */
const FINAL = [400, 401, 403, 404, 410];
/** The last events of deliveries, and their states after these. */
const ENDS: readonly string[] = ['delivered', 'delivery.failed', 'canceled'];
const END_STATES = ['delivered', 'failed', 'canceled'];

/**
 * Reads a namespace across lost connections: it names its marks in each handshake, asks for gaps, and renews its token on
 * the open connection.
 * @param listen adds the listeners of other messages
 */
export function startFeed<S extends AnySnapshot>(
  namespace: '/courier' | '/vendor' | '/track',
  credential: Credential,
  options: FeedOptions<S> & Pick<ConnectionOptions, 'onReplaced'>,
  listen: (socket: Socket) => void,
): { readonly connection: Connection; readonly feed: Feed } {
  const marks = createMarks(options.lastSeq);
  const isFirst = (): boolean => connection.reconnects() === 0;
  // A courier gets a delivery in the middle, and a recipient has only one.
  const newcomers = namespace === '/vendor' ? createNewcomers(options.lastSeq ?? {}, isFirst) : null;
  const freshness = createFreshness(options.lastSeq ?? {}, isFirst);
  const replay = createReplay(marks, newcomers, options, freshness.isFresh);
  let [token, isClosed] = ['', false];
  async function renew(): Promise<void> {
    const next = await tokenOf(credential);
    if (next === token) return;
    token = next;
    connection.socket()?.emit('auth', { token: next }, () => undefined);
  }
  const timer = setInterval(() => {
    // A new connection asks for a token in any case.
    if (typeof credential !== 'object' || connection.socket() === null) return;
    renew().catch((error: unknown) => {
      // Several turns may have waited for the same login. Without a new token now, the next turn asks again.
      if (!isClosed && !mayTryAgain(error, options)) connection.close();
    });
  }, RENEWAL_MS);
  const connection = keepConnected({
    baseUrl: options.baseUrl,
    namespace,
    backoff: options.backoff,
    onState: (state) => {
      isClosed = state === 'closed';
      if (isClosed) clearInterval(timer);
      if (state === 'live') freshness.begin();
      options.onState?.(state);
    },
    auth: async () => {
      token = await tokenOf(credential);
      return { token, last_seq: marks.newest(MOST_NAMED) };
    },
    onAuthFailed: (error) => mayTryAgain(error, options),
    onReplaced: namespace === '/courier' ? () => options.onReplaced?.() : undefined,
    onRefused: (problem) => {
      if (problem.status === 401 && typeof credential === 'object') {
        credential.distrust(token);
        return true;
      }
      if (!FINAL.includes(problem.status)) return true;
      options.onRefused?.(problem);
      return false;
    },
    listen: (socket) => {
      replay(socket);
      listen(socket);
    },
  });
  return { connection, feed: feedOf(connection, credential, marks) };
}

function feedOf(connection: Connection, credential: Credential, marks: Marks): Feed {
  return {
    lastSeq: () => marks.newest(MOST_NAMED),
    hurry: () => {
      if (typeof credential === 'object') credential.hurry?.();
      connection.hurry();
    },
    close: () => connection.close(),
  };
}

/** Says whether a login that failed may succeed later. If not, it tells the app. A repeat would only send another code. */
function mayTryAgain(
  error: unknown,
  { onRefused, onLoginFailed }: Pick<FeedOptions<never>, 'onRefused' | 'onLoginFailed'>,
): boolean {
  if (error instanceof NoAnswer) return true;
  if (!(error instanceof ServiceProblem)) onLoginFailed?.(error);
  else if (error.problem.retryable) return true;
  else onRefused?.(error.problem);
  return false;
}

/**
 * Gives each event on once and in order, and asks for the events that are missing.
 * @param isFresh whether a beacon may name what happened before this feed
 */
function createReplay<S extends AnySnapshot>(
  marks: Marks,
  newcomers: Newcomers | null,
  { onEvent, onSnapshot }: FeedOptions<S>,
  isFresh: () => boolean,
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
  const resync = createResync(marks, { asking, owed, owe }, take, onSnapshot);
  return (socket) => {
    const isMissed = (id: string, sequence: number): boolean => socket.connected && (marks.get(id) ?? 0) < sequence;
    const ask = createCatchUp(isMissed, (id) => resync(socket, id));
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
      setTimeout(() => catchUp([[deliveryId, sequence]]), REPLAY_MS);
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

type Pending = Readonly<Record<'asking' | 'owed', Set<string>>> & { readonly owe: (deliveryId: string) => void };

/** Requests the events of a delivery after its mark: `asking` has it meanwhile, and `owed` has it until all events come. */
function createResync<S extends AnySnapshot>(
  marks: Marks,
  { asking, owed, owe }: Pending,
  take: (event: SocketEvent) => void,
  onSnapshot: FeedOptions<S>['onSnapshot'],
): (socket: Socket, deliveryId: string) => Promise<void> {
  return async (socket, deliveryId) => {
    if (asking.has(deliveryId) || !socket.connected) return;
    asking.add(deliveryId);
    owe(deliveryId);
    const body = { delivery_id: deliveryId, after: marks.get(deliveryId) ?? 0 };
    const asked: Promise<unknown> = socket.timeout(ANSWER_MS).emitWithAck('resync', body);
    // If the connection is lost with the question, the next handshake names the mark. Without one, the delivery is owed.
    const answer = replayIn<S>(await asked.catch(() => null));
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
