import { maySee } from '../../domain/access.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../domain/deliveries/events.ts';
import { present } from '../../domain/views/present-event.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Connections } from '../connections/connections.ts';
import type { Hold, Holds } from './holds.ts';
import { COMMAND_PACE } from '../meter.ts';
import type { ResyncAnswer, Snapshot } from '../protocol.ts';
import { viewerOf } from './rooms.ts';
import { takeSnapshot } from './snapshot.ts';
import type { ClientSocket, SocketCaller } from '../sockets.ts';
import { createTurns, type Run } from '../../work/turns.ts';

type Needs = Parameters<typeof takeSnapshot>[0] & Pick<Context, 'deliveries' | 'eventLog' | 'log'>;

/** Most events in a replay. For a longer past the reader receives a snapshot, never a part of the events. */
export const MOST_REPLAYED = 500;
/** Most characters in a replay. More would fill the buffer of the connection in one message. */
const MOST_REPLAYED_SIZE = 262_144;
/** Deliveries that a joining connection has in memory at a time. */
const PAGE = 50;
/** Requests of one connection that wait for the answer to an earlier one. */
const MOST_RESYNCS_WAITING = COMMAND_PACE.burst;

/** The past of a delivery that a connection receives before live events. */
type Past = { readonly snapshot: Snapshot | null; readonly events: readonly DomainEvent[]; readonly through: number };
const NOTHING: Past = { snapshot: null, events: [], through: 0 };

export type Replay = {
  /**
   * Replays deliveries to a client that has joined: the ones that it named and those of `listFurther`. It sends a
   * snapshot of each, then the events that the client does not have, then live events. Call it after the socket has
   * joined its rooms, so that no event is lost.
   */
  enter(socket: ClientSocket, listFurther: () => Promise<readonly DeliveryId[]>): Promise<void>;
  /** The number of connections that have joined and have not received all past events yet. */
  entering(): number;
  /** Sends a snapshot of a delivery that is new to this connection, or whose events do not contain all changes. */
  show(socket: ClientSocket, deliveryId: DeliveryId): Promise<void>;
  /** Answers with the events after `after`, or with a snapshot if they are too many or removed. Live events follow. */
  resync(
    socket: ClientSocket,
    asked: { deliveryId: DeliveryId; after: number },
    reply: (answer: ResyncAnswer) => void,
  ): Promise<undefined>;
};

/** Creates the replay: it withholds live events, reads the past, sends it and lets live events follow. */
export function createReplay(ctx: Needs, holds: Holds, connections: Connections): Replay {
  const ways: Ways = { ctx, holds, connections, read: createTurns(ctx.settings.sockets.replaysAtOnce) };
  const resyncs = new WeakMap<ClientSocket, Run>();
  /** Deliveries whose snapshot waits for its turn. */
  const waiting = new WeakMap<ClientSocket, Set<DeliveryId>>();

  const hold = (socket: ClientSocket, ids: Iterable<DeliveryId>): Hold[] =>
    [...ids].flatMap((id) => holds.begin(socket, id) ?? []);

  const tellJoined = async (socket: ClientSocket, listFurther: () => Promise<readonly DeliveryId[]>): Promise<void> => {
    const named = hold(socket, socket.data.lastSeq.keys());
    // The listed deliveries are read again after this, because live events may have passed in between.
    const further = await ways.read(listFurther);
    // A client that has left meanwhile is forgotten already, and its holds would never be released.
    if (!socket.connected) return;
    await tellAll(ways, socket, [...named, ...hold(socket, further)]);
    socket.data.lastSeq = new Map();
  };

  let entering = 0;
  return {
    enter: async (socket, listFurther) => {
      entering += 1;
      await orClose(ways, socket, () => tellJoined(socket, listFurther));
      entering -= 1;
    },
    entering: () => entering,
    show: async (socket, deliveryId) => {
      const own = waiting.get(socket) ?? new Set<DeliveryId>();
      waiting.set(socket, own);
      // A waiting snapshot will be read later than now. One in flight may have been read before the change.
      if (own.has(deliveryId)) return;
      own.add(deliveryId);
      await orClose(ways, socket, async () => {
        const held = await holds.beginInTurn(socket, deliveryId).finally(() => own.delete(deliveryId));
        await tell(ways, held, null, null);
      });
    },
    resync: (socket, asked, reply) => {
      const turns = resyncs.get(socket) ?? createTurns(1, MOST_RESYNCS_WAITING);
      resyncs.set(socket, turns);
      return turns(async () => {
        // The client must read the previous answer first, so that unread answers do not pile up.
        await connections.connectionOf(socket).whenRead();
        return resync(ways, socket, asked, reply);
      });
    },
  };
}

type Ways = { readonly ctx: Needs; readonly holds: Holds; readonly connections: Connections; readonly read: Run };

/** Sends the past of a delivery after the client has read most of the earlier data. Live events follow. */
async function tell(ways: Ways, hold: Hold, known: Delivery | null, lastSeq: number | null): Promise<void> {
  const { ctx, holds, connections } = ways;
  await connections.connectionOf(hold.socket).whenRead();
  const { socket, deliveryId } = hold;
  const find = () => ctx.deliveries.find(deliveryId);
  const past = await readUntilHeld(ways, hold, {
    first: async () => readPast(ctx, socket, deliveryId, known ?? (await find()), lastSeq),
    again: async () => readPast(ctx, socket, deliveryId, await find(), null),
  });
  if (past.snapshot !== null) hold.socket.emit('snapshot', past.snapshot);
  for (const event of past.events) {
    const shown = present(event, viewerOf(hold.socket.data.caller));
    hold.socket.emit(shown.type, shown);
  }
  // Waiting events belong to this connection, even if there was no past to send.
  holds.finish(hold, past === NOTHING ? hold.mark : past.through);
}

/** Sends the past of several deliveries, one page at a time. */
async function tellAll(ways: Ways, socket: ClientSocket, held: readonly Hold[]): Promise<void> {
  for (let from = 0; from < held.length; from += PAGE) {
    const page = held.slice(from, from + PAGE);
    const deliveries = await ways.read(() => ways.ctx.deliveries.findMany(page.map(({ deliveryId }) => deliveryId)));
    const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
    for (const one of page) {
      if (!socket.connected) return;
      const lastSeq = socket.data.lastSeq.get(one.deliveryId) ?? null;
      await tell(ways, one, byId.get(one.deliveryId) ?? null, lastSeq);
    }
  }
}

async function resync(
  ways: Ways,
  socket: ClientSocket,
  { deliveryId, after }: { deliveryId: DeliveryId; after: number },
  reply: (answer: ResyncAnswer) => void,
): Promise<undefined> {
  const { ctx, holds } = ways;
  const hold = await holds.beginInTurn(socket, deliveryId);
  try {
    const past = await readUntilHeld(ways, hold, {
      first: () => readResync(ctx, socket, deliveryId, after),
      again: () => readResync(ctx, socket, deliveryId, null),
    });
    reply(asAnswer(past, socket));
    holds.finish(hold, past.through);
  } catch (error) {
    // The caller reports the error. Live events must continue from where they were.
    holds.finish(hold, hold.mark);
    throw error;
  }
  return undefined;
}

type Reads = { readonly first: () => Promise<Past>; readonly again: () => Promise<Past> };

/** Reads the past, and again if too many live events arrived meanwhile. From the second time it reads a snapshot. */
async function readUntilHeld({ holds, read }: Ways, hold: Hold, { first, again }: Reads): Promise<Past> {
  let past = await read(first);
  while (hold.hasOverflowed) {
    holds.restart(hold);
    past = await read(again);
  }
  return past;
}

/** The past for a client that has all events up to `after`; null if it has no events. */
async function readPast(
  ctx: Needs,
  socket: ClientSocket,
  id: DeliveryId,
  delivery: Delivery | null,
  after: number | null,
): Promise<Past> {
  const { caller } = socket.data;
  if (delivery === null || !maySee(caller, delivery)) {
    return after === null ? NOTHING : ((await readFormer(ctx, caller, id, after)) ?? NOTHING);
  }
  const snapshot = await takeSnapshot(ctx, delivery, viewerOf(caller));
  if (after === null || after >= delivery.sequence) return { snapshot, events: [], through: delivery.sequence };
  const events = await readRange(ctx, caller, id, after);
  if (events === null) return { snapshot, events: [], through: delivery.sequence };
  // The log may show an event a moment later than the delivery does. In that case the event arrives live.
  return { snapshot, events, through: events.at(-1)?.sequence ?? after };
}

async function readResync(ctx: Needs, socket: ClientSocket, id: DeliveryId, after: number | null): Promise<Past> {
  const { caller } = socket.data;
  const delivery = await ctx.deliveries.find(id);
  if (delivery === null || !maySee(caller, delivery)) {
    const former = await readFormer(ctx, caller, id, after ?? 0);
    if (former === null) throw new Refusal('delivery_not_found');
    return former;
  }
  const isUpToDate = after === delivery.sequence;
  const events = after === null || isUpToDate ? [] : await readRange(ctx, caller, id, after);
  const last = isUpToDate ? after : events?.at(-1)?.sequence;
  if (events !== null && last !== undefined) return { snapshot: null, events, through: last };
  return { snapshot: await takeSnapshot(ctx, delivery, viewerOf(caller)), events: [], through: delivery.sequence };
}

/** All events after `after`; null if they are too many or too large, or if some have been removed. */
async function readRange(
  ctx: Needs,
  caller: SocketCaller,
  id: DeliveryId,
  after: number,
): Promise<readonly DomainEvent[] | null> {
  const events = await ctx.eventLog.list(id, after, MOST_REPLAYED + 1);
  const isWhole = events.every(({ sequence }, index) => sequence === after + index + 1);
  if (!isWhole || events.length > MOST_REPLAYED) return null;
  const viewer = viewerOf(caller);
  const size = events.reduce((sum, event) => sum + JSON.stringify(present(event, viewer)).length, 0);
  return size <= MOST_REPLAYED_SIZE ? events : null;
}

/** The events of a former courier, up to the one that took the delivery from them; null if there are none. */
async function readFormer(ctx: Needs, caller: SocketCaller, id: DeliveryId, after: number): Promise<Past | null> {
  if (caller.type !== 'courier') return null;
  const events = await ctx.eventLog.list(id, after, MOST_REPLAYED);
  const own = events.filter(({ route }) => route.courier_id === caller.courierId);
  return own.length === 0 ? null : { snapshot: null, events: own, through: events.at(-1)?.sequence ?? after };
}

function asAnswer(past: Past, socket: ClientSocket): ResyncAnswer {
  if (past.snapshot !== null) return { reset: true, snapshot: past.snapshot };
  const viewer = viewerOf(socket.data.caller);
  return { events: past.events.map((event) => present(event, viewer)), through: past.through };
}

/** Closes the connection if the replay fails, because the client must not continue with a part of the past. */
async function orClose({ ctx, connections }: Ways, socket: ClientSocket, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Either the client has left, or the database does not answer.
    if (!socket.connected) return;
    ctx.log.error({ error, namespace: socket.nsp.name }, 'a replay failed');
    connections.close(socket, 'failed');
  }
}
