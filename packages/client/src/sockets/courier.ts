import { createClient } from '../client.ts';
import type { Session } from '../credentials.ts';
import type { CourierActions, CourierHint, CourierSnapshot, Offer, OfferWithdrawn } from '../generated/messages.ts';
import type { Operations } from '../generated/operations.ts';
import type { Problem } from '../generated/types.ts';
import { ANSWER_MS, backoffMs, pause, unlessEnded } from '../pause.ts';
import { NoAnswer, ServiceProblem } from '../problems.ts';
import { isRecord } from '../records.ts';
import { createAssignments } from './assignments.ts';
import { shield } from './callbacks.ts';
import { startFeed, type Feed, type FeedOptions } from './feed.ts';
import type { Connection, ConnectionState } from './connection.ts';
import { answerIn, hear, isOffer } from './heard.ts';
import { thisMoment } from './moments.ts';
import { createPingQueue, type DroppedPlaces, type PingQueue, type Place } from './ping-queue.ts';
import { createServiceClock } from './service-clock.ts';

export type CourierSocketOptions = FeedOptions<CourierSnapshot> & {
  readonly session: Session;
  /** Called with each offer. The socket has acknowledged it already. The service may send an offer again. */
  readonly onOffer?: ((offer: Offer) => void) | undefined;
  /** An offer is gone before the courier has answered it. */
  readonly onOfferWithdrawn?: ((withdrawn: OfferWithdrawn) => void) | undefined;
  /** A place where orders are expected. */
  readonly onHint?: ((hint: CourierHint) => void) | undefined;
  /** Places are lost: the service dropped them, or the queue of the client was full. */
  readonly onPlacesDropped?: ((dropped: DroppedPlaces) => void) | undefined;
  /** The courier has logged in on another phone, and this socket is closed. Only a new login brings the connection back. */
  readonly onReplaced?: (() => void) | undefined;
  /** An action without an answer is repeated for this long, ms; 60,000 by default. */
  readonly patienceMs?: number | undefined;
};

/** The delivery after an action. Only a declined offer has no delivery. */
export type ActionResult = { readonly delivery_id?: string; readonly status?: string; readonly sequence?: number };

export type CourierSocket = Feed & {
  /**
   * Does something as the courier. It waits for a connection, and repeats the message until the service has answered. A
   * repeat of an action that has succeeded changes nothing. An action at a stop goes after the places that wait, since the
   * service judges it by the last one. An action on a delivery names the assignment that the latest snapshot has shown, as
   * `assigned_at`, unless the body names one.
   * @param signal ends the wait. The service may have done the action all the same, if it was sent already
   * @throws ServiceProblem if the service refuses
   * @throws NoAnswer if the time has run out, or the socket is closed
   */
  act<A extends keyof CourierActions>(action: A, body: CourierActions[A], signal?: AbortSignal): Promise<ActionResult>;
  /**
   * Uploads proof, as `deliveries.addStopProof` of a client does. It names the assignment as `act` does. If that has ended
   * meanwhile, the service refuses the upload with `stop_not_open`. If you call it again after `NoAnswer`, put the
   * `assigned_at` of the first call into the body.
   */
  readonly addStopProof: Operations['deliveries']['addStopProof'];
  /** Reports the place of the phone. Without a connection it waits in a queue of at most 1,000 places. */
  report(place: Place): void;
  /** The number of places that the service does not have yet. */
  unreported(): number;
  /** The time by the clock of the service, epoch ms. Count down to `expires_at` of an offer with it. */
  now(): number;
};

const PATIENCE_MS = 60_000;
/** A courier waits for their action, so its next connection follows without a spread. */
const AT_ONCE = 0;
const AGAIN = { firstMs: 500, mostMs: 5000 };
/** The service refuses these if the last place that it knows is not near the stop. */
const AT_STOP: readonly (keyof CourierActions)[] = [
  'stop.arrive',
  'delivery.pick_up',
  'delivery.deliver',
  'delivery.fail',
];
/** A thousand places are sent in about this time. If they cannot be sent, the action does not wait longer. */
const PLACES_MS = 10_000;

/** Opens the socket of a courier app. A later login of the same courier on another phone closes it. */
export function openCourierSocket(given: CourierSocketOptions): CourierSocket {
  const options = shield(given);
  const clock = createServiceClock(options.baseUrl);
  const onState = (state: ConnectionState): void => {
    if (state === 'closed') clock.forget();
    options.onState?.(state);
  };
  const assignments = createAssignments();
  const { deliveries } = createClient({ baseUrl: options.baseUrl, credential: options.session });
  const onSnapshot: CourierSocketOptions['onSnapshot'] = (snapshot, skipped) => {
    assignments.learn(snapshot);
    options.onSnapshot?.(snapshot, skipped);
  };
  const feedOptions = { ...options, onState, onSnapshot };
  const { connection, feed } = startFeed('/courier', options.session, feedOptions, (socket) => {
    // The next connection may lead to another server.
    clock.forget();
    socket.on('connect', () => {
      void clock.read();
      pings.flush();
    });
    hear(socket, 'offer.new', isOffer, (offer, acknowledge) => {
      acknowledge({ ok: true });
      // An open offer comes at once on a new connection, before the clock could be read.
      clock.hear(Date.parse(offer.server_time));
      options.onOffer?.(offer);
    });
    hear(socket, 'offer.withdrawn', isRecord, (message) => options.onOfferWithdrawn?.(message as OfferWithdrawn));
    hear(socket, 'courier.hint', isRecord, (message) => options.onHint?.(message as CourierHint));
  });
  // Numbers that begin with the time rise over restarts, because a phone sends less than one fix in a millisecond.
  const pings = createPingQueue(connection, clock, Date.now(), (dropped) => options.onPlacesDropped?.(dropped));
  return {
    ...feed,
    close: () => {
      pings.close();
      feed.close();
    },
    act: (action, body, signal) => {
      // The delivery may be assigned to the courier again while the action is repeated.
      const named = 'delivery_id' in body ? assignments.nameIn(body.delivery_id, body) : body;
      return connection.watch(
        act({ connection, pings }, action, [named, body], { patienceMs: options.patienceMs, signal }),
        AT_ONCE,
      );
    },
    addStopProof: (id, stop, body, call) => {
      const named = assignments.nameIn(id, body);
      return deliveries.addStopProof(id, stop, named, call).catch((error: unknown) => {
        if (!(error instanceof ServiceProblem) || !isUnknownField(error.problem)) throw error;
        // Another server may have the key of the form with the name.
        return deliveries.addStopProof(id, stop, body, { ...call, idempotencyKey: undefined });
      });
    },
    report: (place) => pings.add(place),
    unreported: () => pings.waiting(),
    now: () => clock.at(thisMoment()),
  };
}

type ActOptions = { readonly patienceMs: number | undefined; readonly signal: AbortSignal | undefined };

type Ways = { readonly connection: Connection; readonly pings: Pick<PingQueue, 'whenSent'> };

async function act(
  { connection, pings }: Ways,
  action: keyof CourierActions,
  [named, bare]: readonly [named: object, bare: object],
  { patienceMs = PATIENCE_MS, signal }: ActOptions,
): Promise<ActionResult> {
  const deadline = performance.now() + patienceMs;
  const leftMs = (): number => Math.max(0, deadline - performance.now());
  let refusal: ServiceProblem | null = null;
  let isUnsure = false;
  let placesMs = PLACES_MS;
  let body = named;
  for (let tries = 1; leftMs() > 0; tries += 1) {
    if (tries > 1) await pause(Math.min(backoffMs(AGAIN, tries - 1), leftMs()), signal);
    const socket = await within(connection.whenLive(), leftMs(), signal);
    if (socket === null) break;
    const liveAt = performance.now();
    if (AT_STOP.includes(action)) await within(pings.whenSent(), Math.min(placesMs, leftMs()), signal);
    signal?.throwIfAborted();
    // A connection that was lost could take no places, so this wait does not count.
    if (connection.socket() !== socket) continue;
    const sentAt = performance.now();
    placesMs -= sentAt - liveAt;
    const asked = socket.timeout(ANSWER_MS).emitWithAck(action, body);
    const answer = await unlessEnded(
      asked.then(answerIn<ActionResult>, () => null),
      signal,
    );
    isUnsure ||= answer === null;
    if (answer === null) {
      connection.doubt(sentAt);
      continue;
    }
    if (!('problem' in answer)) return answer;
    refusal = new ServiceProblem(action, answer.problem);
    if (answer.problem.retryable) continue;
    if (body === bare || !isUnknownField(answer.problem)) throw refusal;
    body = bare;
  }
  // A try without an answer may have done the work, whatever the service says for now.
  throw refusal === null || isUnsure ? new NoAnswer(action, { cause: refusal ?? undefined }) : refusal;
}

/** In a rolling update a request or a connection may reach a server that does not know assignments yet. */
function isUnknownField({ code }: Problem): boolean {
  return code === 'unknown_field';
}

/** The result of the work; null if it takes longer. The work itself goes on. @throws the reason of the signal */
async function within<T>(work: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | null> {
  const found = new AbortController();
  const waits = signal === undefined ? found.signal : AbortSignal.any([found.signal, signal]);
  const tooLate = pause(ms, waits).then(() => null);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    // Nobody waits for the timer any more, so its end must not be reported as an error.
    tooLate.catch(() => undefined);
    found.abort();
  }
}
