import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Socket } from 'socket.io-client';
import type {
  PositionsFrame,
  ReaderToServer,
  ServerToClient,
  Snapshot,
  TrackDelivery,
} from '../../src/realtime/protocol.ts';
import { connect, type Connection } from '../shared/connect.ts';
import type { Fix } from '../shared/glide.ts';
import { isProblem } from '../../packages/client/src/problems.ts';
import { isRecord } from '../../packages/client/src/records.ts';
import { createMarks } from '../../packages/client/src/sockets/marks.ts';
import { serviceTime, type ServiceTime } from '../shared/service-time.ts';
import { isEvent, type Problem } from '../shared/wire.ts';
import { hasEnded, showsCourier } from './saying.ts';

export type Following = {
  readonly delivery: ReadonlySignal<TrackDelivery>;
  readonly connection: ReadonlySignal<Connection>;
  /** The time of the last message from the server, service time. */
  readonly lastSeenAt: ReadonlySignal<number>;
  readonly fix: ReadonlySignal<Fix | null>;
  now(): number;
};

/** Interval at which the page reads the expected arrival again, machine time. */
const REFRESH_MS = 20_000;
/** Longest wait for an answer, machine time. A connection can be dead for minutes before the browser notices it. */
export const ANSWER_MS = 10_000;

/** Follows one delivery: reads its state over HTTP whenever the socket reports a change. */
export function follow(token: string, first: TrackDelivery): Following {
  let time: ServiceTime = serviceTime(first.clock);
  const delivery = signal(first);
  const connection = signal<Connection>('joining');
  const lastSeenAt = signal(time.now());
  // A frame may arrive before the state that allows it, so it is kept until then.
  const heard = signal<Fix | null>(null);
  const fix = computed(() => (showsCourier(delivery.value) ? heard.value : null));
  const known = createKnown(first.sequence);

  const hear = (): void => void (lastSeenAt.value = time.now());
  const take = (state: TrackDelivery): void => {
    time = serviceTime(state.clock);
    hear();
    if (state.sequence < delivery.value.sequence) return;
    known.raise(state.sequence);
    if (showsCourier(delivery.value) && !showsCourier(state)) heard.value = null;
    delivery.value = state;
  };
  const refresh = oneAtATime(async () => {
    const answer = await fetch(`/t/${token}/state`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body: unknown = await answer.json();
    if (isProblem(body)) leaveIfOver(body);
    else if (answer.ok && isState(body)) take(body);
  });
  const socket = connect<ReaderToServer>('/track', {
    auth: () => ({ token, ...known.asHandshake() }),
    onConnection: (next) => {
      if (next === 'live') hear();
      connection.value = next;
    },
    onRefused: (problem) => Promise.resolve(!leaveIfOver(problem)),
  });
  socket.onAny(hear);
  listen(socket, known, { take, refresh });
  socket.on('positions', ({ items }: PositionsFrame, taken: () => void) => {
    taken();
    const newest = items.at(-1);
    if (newest === undefined) return;
    const [, , at, lat, lng, heading] = newest;
    if (heard.value === null || at >= heard.value.at) heard.value = { at, lat, lng, heading };
  });
  setInterval(() => {
    if (!document.hidden && !hasEnded(delivery.value)) refresh();
  }, REFRESH_MS);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) refresh();
  });
  return { delivery, connection, lastSeenAt, fix, now: () => time.now() };
}

/** Leaves a page whose link has ended. The server answers a reload with the page that says so. */
function leaveIfOver({ code }: Problem): boolean {
  const isOver = code === 'tracking_link_expired' || code === 'tracking_link_not_found';
  if (isOver) location.reload();
  return isOver;
}

/** Says whether this is the state of a delivery. Something on the way may answer too, such as the login page of a network. */
function isState(body: unknown): body is TrackDelivery {
  if (!isRecord(body) || !Number.isSafeInteger(body['sequence'])) return false;
  return [body['vendor'], body['drop_off'], body['steps'], body['clock']].every((part) => isRecord(part));
}

type Known = {
  /** The id of the delivery, known from the first message. */
  meet(deliveryId: string): void;
  raise(sequence: number): void;
  isNew(deliveryId: string, sequence: number): boolean;
  asHandshake(): { last_seq?: Record<string, number> };
};

function createKnown(firstSequence: number): Known {
  const marks = createMarks();
  let newest = firstSequence;
  let id: string | null = null;
  return {
    meet: (deliveryId) => {
      id ??= deliveryId;
      marks.raise(id, newest);
    },
    raise: (sequence) => {
      newest = Math.max(newest, sequence);
      if (id !== null) marks.raise(id, newest);
    },
    isNew: (deliveryId, sequence) => marks.judge(deliveryId, sequence) !== 'known',
    asHandshake: () => (id === null ? {} : { last_seq: marks.newest(1) }),
  };
}

type Acting = { readonly take: (state: TrackDelivery) => void; readonly refresh: () => void };

/** Reads the whole state after every new event, with or without a gap, because it is small. */
function listen(socket: Socket<ServerToClient, ReaderToServer>, known: Known, { take, refresh }: Acting): void {
  socket.onAny((_name: string, message: unknown) => {
    if (!isEvent(message)) return;
    known.meet(message.delivery_id);
    if (known.isNew(message.delivery_id, message.sequence)) refresh();
  });
  socket.on('snapshot', (snapshot: Snapshot) => {
    if (!isState(snapshot.delivery)) return;
    known.meet(snapshot.delivery_id);
    take(snapshot.delivery);
  });
  socket.on('top', (top: Record<string, number>) => {
    if (Object.entries(top).some(([id, sequence]) => known.isNew(id, sequence))) refresh();
  });
}

/** Runs one call at a time. All requests during a call lead to one more call. */
function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const start = (): void => {
    isWanted = isRunning;
    if (isRunning) return;
    isRunning = true;
    run()
      .catch(() => {
        // The page is offline, or the answer is late. The bar shows a lost connection. The next event, beacon or tick tries again.
      })
      .finally(() => {
        isRunning = false;
        if (isWanted) start();
      });
  };
  return start;
}
