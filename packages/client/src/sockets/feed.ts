import type { Socket } from 'socket.io-client';
import { tokenOf, type Credential } from '../credentials.ts';
import type { Problem } from '../generated/types.ts';
import type { Backoff } from '../pause.ts';
import { NoAnswer, ServiceProblem } from '../problems.ts';
import { keepConnected, type Connection, type ConnectionOptions, type ConnectionState } from './connection.ts';
import type { AnySnapshot } from './heard.ts';
import { createMarks, type Marks } from './marks.ts';
import { createFreshness, createNewcomers } from './newcomers.ts';
import { createReplay, type Story } from './replay.ts';

export type FeedOptions<S> = Story<S> & {
  /** The address of the service. With several, a lost connection goes on to the next. */
  readonly baseUrl: string | readonly string[];
  /** The newest sequence of each delivery that an earlier run has handled, from `lastSeq`. The service replays later ones. */
  readonly lastSeq?: Readonly<Record<string, number>> | undefined;
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
const RENEWAL_MS = 30_000;
/** A refusal of these kinds will be the same again. */
const FINAL = [400, 401, 403, 404, 410];

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
  const ended = new AbortController();
  const replay = createReplay(marks, newcomers, options, {
    isFresh: freshness.isFresh,
    ended: ended.signal,
    watch: (answer) => connection.watch(answer),
  });
  let token = '';
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
      if (!ended.signal.aborted && !mayTryAgain(error, options)) connection.close();
    });
  }, RENEWAL_MS);
  const connection = keepConnected({
    baseUrl: options.baseUrl,
    namespace,
    backoff: options.backoff,
    onState: (state) => {
      if (state === 'closed') {
        clearInterval(timer);
        ended.abort();
      }
      if (state === 'live') freshness.begin();
      options.onState?.(state);
    },
    auth: async () => {
      token = await tokenOf(credential);
      return { token, last_seq: marks.newest(MOST_NAMED) };
    },
    onAuthFailed: (error) => mayTryAgain(error, options),
    onReplaced: namespace === '/courier' ? () => options.onReplaced?.() : undefined,
    onRefused: (problem) => mayJoinAgain(problem, { credential, token }, options),
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

/** Says whether a handshake that was refused may succeed later. If not, it reports the refusal to the app. */
function mayJoinAgain(
  problem: Problem,
  { credential, token }: { readonly credential: Credential; readonly token: string },
  { onRefused }: Pick<FeedOptions<never>, 'onRefused'>,
): boolean {
  if (problem.status === 401 && typeof credential === 'object') {
    credential.distrust(token);
    return true;
  }
  if (!FINAL.includes(problem.status)) return true;
  onRefused?.(problem);
  return false;
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
