import { effect, signal, untracked } from '@preact/signals';
import type { Socket } from 'socket.io-client';
import type {
  Ack,
  AdminToServer,
  PositionsFrame,
  ResyncAnswer,
  ServerToClient,
  Snapshot,
} from '../../src/realtime/protocol.ts';
import { ServiceProblem } from '../../packages/client/src/problems.ts';
import { connect, type Connection } from '../shared/connect.ts';
import { serviceTime, type ServiceTime } from '../shared/service-time.ts';
import { isEvent, type CourierId, type DeliveryId, type DeliveryView, type WireEvent } from '../shared/wire.ts';
import { get, getAll, getTime, MOST_ITEMS } from './api.ts';
import { history, view } from './board.ts';
import { createCatchUp } from '../../packages/client/src/sockets/catch-up.ts';
import { alarmed, knownAlarms, takeAlarm, takeAlarms, type ListedAlarm } from './known-alarms.ts';
import { deliveries, isPartial, keepOnly, marks, takeDelivery, unread } from './known-deliveries.ts';
import { OPEN_STATES } from './filters.ts';
import { countFleet, createFleet } from './fleet.ts';
import { newerHistory, readHistory } from './read-history.ts';
import { followSearch, searchAgain } from './rows.ts';
import { explain } from './refusal.ts';
import { renew, session } from './session.ts';

export const connection = signal<Connection>('joining');
/** The time of the last message from the server, or of the last read of it; service time. Null until its clock is read. */
export const lastSeenAt = signal<number | null>(null);
/** Service time, updated every two seconds of machine time, which is enough for the ages on the page. */
export const now = signal(Date.now());
export const fleet = createFleet();
export const fleetCounts = signal(countFleet(fleet, 0));

const TICK_MS = 2000;
/** Interval between reads of what no message brings, such as deliveries outside the watched cells; machine time. */
export const RELOAD_MS = 30_000;
const MOST_NAMED = 500;
const ANSWER_MS = 15_000;

const catchUp = createCatchUp(isMissed, resync);

let clock: ServiceTime | null = null;
let socket: Socket<ServerToClient, AdminToServer> | null = null;
let watched: readonly string[] = [];

/** Service time, or until the server's clock is read, the time of this machine. */
export function serviceNow(): number {
  return clock?.now() ?? Date.now();
}

/** Joins the live board. Returns a function that leaves it. */
export function goLive(): () => void {
  const joined = connect<AdminToServer>('/admin', {
    auth: () => ({ token: session.value?.accessToken ?? '', last_seq: marks.newest(MOST_NAMED) }),
    onConnection: (next) => {
      connection.value = next;
      if (next !== 'live') return;
      noteHeard();
      rejoin();
    },
    onRefused: ({ status }) => (status === 401 ? renew() : Promise.resolve(true)),
  });
  socket = joined;
  listen(joined);
  const stopRenewing = effect(() => {
    const token = session.value?.accessToken;
    if (token === undefined) return;
    if (joined.connected) joined.emit('auth', { token }, () => undefined);
    // After a new login the socket must join again, and reads that were refused meanwhile must be repeated.
    else if (!joined.active) joined.connect();
    loadMissing();
    untracked(searchAgain);
  });
  const stopSearching = followSearch();
  const timers = [setInterval(tick, TICK_MS), setInterval(reload, RELOAD_MS), setInterval(loadMissing, RELOAD_MS)];
  readClock().then(tick, quiet);
  reload();
  return () => {
    stopRenewing();
    stopSearching();
    for (const timer of timers) clearInterval(timer);
    joined.disconnect();
    socket = null;
  };
}

/** Watches these cells, also after a reconnection. */
export function watchCells(cells: readonly string[]): void {
  const next = cells.toSorted();
  if (next.length === watched.length && next.every((cell, index) => cell === watched[index])) return;
  watched = next;
  sendWatch();
}

/** Assigns a delivery to a courier. Throws `ServiceProblem` if the server refuses. */
export async function assign(deliveryId: DeliveryId, courierId: CourierId): Promise<void> {
  const body = { delivery_id: deliveryId, courier_id: courierId };
  refuseUnlessOk('assign', await socket?.timeout(ANSWER_MS).emitWithAck('assign', body));
}

/** Takes a delivery from this courier. Throws `ServiceProblem` if the server refuses. */
export async function unassign(deliveryId: DeliveryId, courierId: CourierId, reason: string): Promise<void> {
  const body = { delivery_id: deliveryId, courier_id: courierId, reason };
  refuseUnlessOk('unassign', await socket?.timeout(ANSWER_MS).emitWithAck('unassign', body));
}

/** Loads the chosen delivery and its history. The delivery is shown also if its history cannot be read. */
export async function loadChosen(id: string): Promise<void> {
  const readEvents = () => getAll<WireEvent>(`/deliveries/${id}/history`, {});
  const [events] = await Promise.all([
    readHistory(readEvents, () => marks.get(id as DeliveryId) ?? 0),
    get<DeliveryView>(`/deliveries/${id}`, 'delivery').then(takeDelivery),
  ]);
  if (view.value.chosen === id) history.value = newerHistory(history.value, events);
}

/** Loads the chosen delivery again if its history could not be read. */
function loadMissing(): void {
  const { chosen: id } = view.peek();
  if (id !== null && history.peek() === null) loadChosen(id).catch(quiet);
}

function noteHeard(): void {
  if (clock !== null) lastSeenAt.value = clock.now();
}

function listen(joined: Socket<ServerToClient, AdminToServer>): void {
  joined.onAny((_name: string, message: unknown) => {
    noteHeard();
    if (isEvent(message)) hear(message);
  });
  joined.on('snapshot', ({ delivery }: Snapshot) => {
    if ('fee' in delivery) takeDelivery(delivery);
  });
  joined.on('positions', ({ items }: PositionsFrame, taken: () => void) => {
    fleet.take(items);
    taken();
  });
  joined.on('alarm', takeAlarm);
  joined.on('top', (top: Record<string, number>) => {
    catchUp((Object.entries(top) as [DeliveryId, number][]).filter(([id, sequence]) => isMissed(id, sequence)));
  });
}

function hear(event: WireEvent): void {
  const { delivery_id: id, sequence } = event;
  addToHistory(event);
  const verdict = marks.judge(id, sequence);
  if (verdict === 'known') return;
  if (verdict === 'gap') catchUp([[id, sequence]]);
  else apply(event);
}

function apply(event: WireEvent): void {
  marks.raise(event.delivery_id, event.sequence);
  if (event.data.delivery !== undefined) takeDelivery(event.data.delivery);
  addToHistory(event);
}

/** The newest number in the history. The mark may be higher, because a view may be newer than an event in flight. */
function addToHistory(event: WireEvent): void {
  const shown = history.value;
  if (event.delivery_id !== view.value.chosen || shown === null) return;
  const last = shown.at(-1)?.sequence ?? 0;
  if (event.sequence === last + 1) history.value = [...shown, event];
  else if (event.sequence > last) loadChosen(event.delivery_id).catch(quiet);
}

/** Asks for the events of a delivery up to this number. */
async function resync(id: DeliveryId, sequence: number): Promise<void> {
  if (socket?.connected !== true) return;
  const after = marks.get(id) ?? sequence - 1;
  try {
    const answer: Ack<ResyncAnswer> = await socket.timeout(ANSWER_MS).emitWithAck('resync', { delivery_id: id, after });
    if (!answer.ok) return;
    if ('events' in answer) answer.events.filter((event) => isNew(event)).forEach(apply);
    else {
      if ('fee' in answer.snapshot.delivery) takeDelivery(answer.snapshot.delivery);
      if (view.value.chosen === id) loadChosen(id).catch(quiet);
    }
  } catch {
    // The answer was lost. The next beacon triggers the request again.
  }
}

function isMissed(id: DeliveryId, sequence: number): boolean {
  return sequence > (marks.get(id) ?? 0);
}

function isNew({ delivery_id: id, sequence }: WireEvent): boolean {
  return marks.judge(id, sequence) !== 'known';
}

function rejoin(): void {
  sendWatch();
  reload();
  if (view.value.chosen !== null) loadChosen(view.value.chosen).catch(quiet);
}

function sendWatch(): void {
  if (socket?.connected === true && watched.length > 0) socket.emit('watch', { cells: [...watched] }, () => undefined);
}

function reload(): void {
  if (session.value === null) return;
  readBoard().then(noteHeard, (error: unknown) => {
    if (unread.value !== null) unread.value = explain(error);
  });
  readClock().catch(quiet);
  searchAgain();
}

/** Reads the newest open deliveries, and those with an alarm, however old they are. */
async function readBoard(): Promise<void> {
  const known = { alarms: knownAlarms(), deliveries: deliveries.value };
  const [newest, open] = await Promise.all([
    getAll<DeliveryView>('/deliveries', { status: OPEN_STATES.join(',') }),
    // Without the alarms, the deliveries are worth reading all the same.
    getAll<ListedAlarm>('/dispatch/alarms', {}).catch(() => null),
  ]);
  const listed = [...newest, ...(open ?? []).flatMap(({ delivery }) => delivery ?? [])];
  listed.forEach(takeDelivery);
  unread.value = null;
  const withAlarm = open === null ? alarmed.value : [];
  keepOnly(new Set([...listed.map(({ id }) => id as string), ...withAlarm]), view.value.chosen, known.deliveries);
  isPartial.value = newest.length === MOST_ITEMS;
  if (open === null) return;
  takeAlarms(open, known.alarms, open.length < MOST_ITEMS ? null : (open.at(-1)?.since ?? null));
}

async function readClock(): Promise<void> {
  const told = await getTime();
  clock = serviceTime({ now: told.now, scale: told.clock_scale });
  noteHeard();
}

function tick(): void {
  now.value = serviceNow();
  fleet.sweep(now.value);
  fleetCounts.value = countFleet(fleet, now.value);
}

function refuseUnlessOk(message: string, answer: Ack | undefined): void {
  if (answer?.ok === false) throw new ServiceProblem(message, answer.problem);
}

/** Ignores the error of an unreachable server. The bar shows it, and all reads are repeated after a reconnection. */
function quiet(): void {}
