import { maySee } from '../../domain/access.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../domain/deliveries/events.ts';
import { present } from '../../domain/views/present-event.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Door } from '../connections/door.ts';
import type { Hold, Holds } from './holds.ts';
import { COMMAND_PACE } from '../meter.ts';
import type { ResyncAnswer, Snapshot } from '../protocol.ts';
import { viewerOf } from './rooms.ts';
import { takeSnapshot } from './snapshot.ts';
import type { ClientSocket, SocketCaller } from '../sockets.ts';
import { createTurns, type Run } from '../connections/turns.ts';

type Needs = Pick<
  Context,
  'deliveries' | 'eventLog' | 'log' | 'clock' | 'positions' | 'vendors' | 'offers' | 'settings'
>;

/** A longer past is not replayed: the reader gets a snapshot instead, never a part. */
export const MOST_REPLAYED = 500;
/** Nor is a larger one: events of a large delivery would fill the connection's buffer in one message. Characters. */
const MOST_REPLAYED_SIZE = 262_144;
/** Deliveries that a joining connection has in memory at a time. */
const PAGE = 50;
/** Questions of one connection that wait for the answer to another one. */
const MOST_RESYNCS_WAITING = COMMAND_PACE.burst;

/** What one connection is told of one delivery before it hears it live. */
type Past = { readonly snapshot: Snapshot | null; readonly events: readonly DomainEvent[]; readonly through: number };
const NOTHING: Past = { snapshot: null, events: [], through: 0 };

export type Replay = {
  /**
   * On joining: snapshots of the deliveries named and of further ones, then the events after what the client has, then
   * live. The caller has joined the rooms already, so that nothing falls between. `listFurther` is asked after the named
   * ones are held.
   */
  enter(socket: ClientSocket, listFurther: () => Promise<readonly DeliveryId[]>): Promise<void>;
  /** How many connections have joined and have not been told all yet. */
  entering(): number;
  /** A snapshot of a delivery that this connection begins to hear, or that has changed more than its events tell. */
  show(socket: ClientSocket, deliveryId: DeliveryId): Promise<void>;
  /** Answers with the events after `after`, or a snapshot when they are too many or gone; then the live stream goes on. */
  resync(
    socket: ClientSocket,
    asked: { deliveryId: DeliveryId; after: number },
    reply: (answer: ResyncAnswer) => void,
  ): Promise<undefined>;
};

/** The way from stored events to a connection: hold the live stream, read, send, let go. */
export function createReplay(ctx: Needs, holds: Holds, door: Door): Replay {
  const ways: Ways = { ctx, holds, door, read: createTurns(ctx.settings.sockets.replaysAtOnce) };
  const resyncs = new WeakMap<ClientSocket, Run>();
  /** Deliveries whose snapshot waits for its turn. */
  const waiting = new WeakMap<ClientSocket, Set<DeliveryId>>();

  const hold = (socket: ClientSocket, ids: Iterable<DeliveryId>): Hold[] =>
    [...ids].flatMap((id) => holds.begin(socket, id) ?? []);

  const tellJoined = async (socket: ClientSocket, listFurther: () => Promise<readonly DeliveryId[]>): Promise<void> => {
    const named = hold(socket, socket.data.lastSeq.keys());
    // What is listed is read again once it is held: live events may have passed between.
    const further = await ways.read(listFurther);
    // Who has gone meanwhile has been dropped already; what is held now would never be let go.
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
      // One that waits for its turn reads later than now; one that is under way may have read before.
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
        // The answer before this one must have been read: a client that asks and does not read gets no second one.
        await door.connectionOf(socket).whenRead();
        return resync(ways, socket, asked, reply);
      });
    },
  };
}

type Ways = { readonly ctx: Needs; readonly holds: Holds; readonly door: Door; readonly read: Run };

/** Sends one delivery's past, once the client has read most of what was sent before, and lets go of the live stream. */
async function tell(
  { ctx, holds, door, read }: Ways,
  hold: Hold,
  known: Delivery | null,
  lastSeq: number | null,
): Promise<void> {
  await door.connectionOf(hold.socket).whenRead();
  const past = await readUntilHeld(holds, hold, (isFirst) =>
    read(async () => {
      const delivery = isFirst && known !== null ? known : await ctx.deliveries.find(hold.deliveryId);
      return readPast(ctx, hold.socket, hold.deliveryId, delivery, isFirst ? lastSeq : null);
    }),
  );
  if (past.snapshot !== null) hold.socket.emit('snapshot', past.snapshot);
  for (const event of past.events) {
    const shown = present(event, viewerOf(hold.socket.data.caller));
    hold.socket.emit(shown.type, shown);
  }
  // Even with nothing to tell, what waited was meant for this connection.
  holds.finish(hold, past === NOTHING ? hold.mark : past.through);
}

/** The same for all that is held for a connection, a page of deliveries at a time. */
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
  { ctx, holds, read }: Ways,
  socket: ClientSocket,
  { deliveryId, after }: { deliveryId: DeliveryId; after: number },
  reply: (answer: ResyncAnswer) => void,
): Promise<undefined> {
  const hold = await holds.beginInTurn(socket, deliveryId);
  try {
    const past = await readUntilHeld(holds, hold, (isFirst) =>
      read(() => readResync(ctx, socket, deliveryId, isFirst ? after : null)),
    );
    reply(asAnswer(past, socket));
    holds.finish(hold, past.through);
  } catch (error) {
    // The client is told by whoever called; its live stream must go on where it was.
    holds.finish(hold, hold.mark);
    throw error;
  }
  return undefined;
}

/** Reads until nothing that came meanwhile had to be thrown away; from the second time on a snapshot is read. */
async function readUntilHeld(holds: Holds, hold: Hold, read: (isFirst: boolean) => Promise<Past>): Promise<Past> {
  let past = await read(true);
  while (hold.hasOverflowed) {
    holds.restart(hold);
    past = await read(false);
  }
  return past;
}

/** What a client that has everything up to `after` (null: nothing) must be told on joining. */
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
  // Nothing yet: the log shows an event a moment after the delivery does, and then it comes live.
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

/** The events after `after`, whole; null when they are too many, too large or the first of them are gone. */
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

/** A former courier's own part, up to the event that took the delivery from them; `through` covers the rest. Or null. */
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

/** A reader that cannot be told the past must not stay with a part of it: the closed client comes again and asks anew. */
async function orClose({ ctx, door }: Ways, socket: ClientSocket, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // The client has gone, or the database is away.
    if (!socket.connected) return;
    ctx.log.error({ error: String(error), namespace: socket.nsp.name }, 'a replay failed');
    door.close(socket, 'failed');
  }
}
