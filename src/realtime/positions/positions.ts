import { viewCellOf } from '../../domain/geo/geo.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';
import type { Context } from '../../ports/context.ts';
import type { Stop } from '../../ports/process.ts';
import type { Carried } from '../../domain/deliveries/carried.ts';
import { createRoomIndex, roomsOf, type InRooms, type RoomIndex } from './room-index.ts';
import type { PositionItem } from '../protocol.ts';
import type { Reader, Readers } from './readers.ts';
import { cellRoom } from '../relay/rooms.ts';
import type { ClientSocket } from '../sockets.ts';

type Needs = Pick<Context, 'carried' | 'positions' | 'log'>;

/** Positions that are read at a time for a connection that joins. */
const PAGE = 50;

export type PositionFeed = {
  start(): Stop;
  /** Lets the connection see the couriers of all deliveries that this room may see. */
  follow(socket: ClientSocket, room: string): Promise<void>;
  /** Lets the connection see all couriers in these cells, idle ones included. Replaces the earlier cells. */
  watch(socket: ClientSocket, cells: readonly string[]): Promise<void>;
  leave(socket: ClientSocket): void;
};

/**
 * The fan-out of positions. Each batch finds its readers by courier and cell, and never scans all readers. A newer
 * position overwrites one that was not sent.
 */
export function createPositionFeed(ctx: Needs, readers: Readers): PositionFeed {
  const index = createRoomIndex();
  const watching = new Set<ClientSocket>();
  const spread = createSpread(index, readers);

  const spreadBatch = (batch: readonly Position[]): void => {
    if (readers.size === 0) return;
    const dirty = new Set<Reader>();
    for (const position of batch) {
      spread.toCarried(position, dirty);
      if (watching.size > 0) spread.toCell(position, dirty);
    }
    for (const reader of dirty) readers.flush(reader);
  };

  return {
    start: () => {
      for (const one of ctx.carried.all()) index.change(null, one);
      const stops = [
        ctx.carried.onChange(createChangeListener(ctx, index, readers)),
        ctx.positions.onBatch(spreadBatch),
      ];
      return () => stops.forEach((stop) => stop());
    },
    follow: (socket, room) =>
      readers.enter(socket, [room], async (reader) => {
        const all = [...index.in(room)];
        for (let from = 0; from < all.length; from += PAGE) {
          await Promise.all(all.slice(from, from + PAGE).map((one) => show(ctx, index, reader, room, one)));
        }
      }),
    watch: async (socket, watched) => {
      // The answer to `watch` may have closed the connection of a client that does not read.
      if (!socket.connected) return;
      watching.add(socket);
      await readers.enter(socket, watched.map(cellRoom), async ({ slots }) => {
        const isIn = new Set(watched);
        for (const listed of await ctx.positions.listPresent(watched)) {
          const position = newest(ctx, listed);
          if (slots.has(position.courierId) || !isIn.has(viewCellOf(position))) continue;
          slots.set(position.courierId, openItem(position, firstOf(index, position)));
        }
      });
    },
    leave: (socket) => {
      readers.leave(socket);
      watching.delete(socket);
    },
  };
}

/** Keeps the index up to date, shows readers whom they may see from now on, and hides whom they may not. */
function createChangeListener(
  ctx: Needs,
  index: RoomIndex,
  readers: Readers,
): (before: Carried | null, after: Carried | null) => void {
  return (was, is) => {
    const { before, after } = index.change(was, is);
    if (before !== null) hide(index, readers, before);
    if (after === null) return;
    const known = before?.courierId === after.courierId ? roomsOf(before) : [];
    for (const room of roomsOf(after).filter((one) => !known.includes(one))) {
      for (const reader of readers.in(room)) {
        show(ctx, index, reader, room, after).then(
          () => readers.flush(reader),
          // The next ping of the courier brings the position.
          (error: unknown) => ctx.log.warn({ error }, 'a first position could not be read'),
        );
      }
    }
  };
}

type Spread = {
  toCarried(position: Position, dirty: Set<Reader>): void;
  toCell(position: Position, dirty: Set<Reader>): void;
};

/** Puts a position into the slots of its readers. An item is made once for all readers of a room. */
function createSpread(index: RoomIndex, readers: Readers): Spread {
  const put = (room: string, key: string, makeItem: () => PositionItem, dirty: Set<Reader>): void => {
    const listening = readers.in(room);
    if (listening.size === 0) return;
    const item = makeItem();
    for (const reader of listening) {
      if (reader.pacing.isStale) continue;
      reader.slots.set(key, item);
      dirty.add(reader);
    }
  };
  return {
    toCarried: (position, dirty) => {
      for (const entry of index.of(position.courierId)) {
        const { deliveryId, vendorRoom, trackRoom } = entry;
        put(vendorRoom, deliveryId, () => openItem(position, deliveryId), dirty);
        if (trackRoom !== null && !index.hides(entry, position))
          put(trackRoom, deliveryId, () => shyItem(position, deliveryId), dirty);
      }
    },
    toCell: (position, dirty) => {
      put(
        cellRoom(viewCellOf(position)),
        position.courierId,
        () => openItem(position, firstOf(index, position)),
        dirty,
      );
    },
  };
}

/** Sends the first position of a delivery, if the room may see it there and still after the position was read. */
async function show(
  ctx: Needs,
  index: RoomIndex,
  reader: Reader,
  room: string,
  { courierId, deliveryId }: InRooms,
): Promise<void> {
  const found = await ctx.positions.find(courierId);
  const current = index.get(deliveryId);
  if (found === null || current?.courierId !== courierId || !roomsOf(current).includes(room)) return;
  if (reader.slots.has(deliveryId)) return;
  const position = newest(ctx, found);
  if (room !== current.trackRoom) reader.slots.set(deliveryId, openItem(position, deliveryId));
  else if (!index.hides(current, position)) reader.slots.set(deliveryId, shyItem(position, deliveryId));
}

/** Removes an item that readers may no longer see from their slots. */
function hide(index: RoomIndex, readers: Readers, before: InRooms): void {
  const current = index.get(before.deliveryId);
  const still = current?.courierId === before.courierId ? roomsOf(current) : [];
  const gone = roomsOf(before).filter((room) => !still.includes(room));
  for (const reader of gone.flatMap((room) => [...readers.in(room)])) reader.slots.delete(before.deliveryId);
}

/** Takes the newer of the received and the stored position, because a marker must not move backwards. */
function newest({ positions }: Needs, listed: Position): Position {
  const known = positions.last(listed.courierId);
  return known !== null && known.at > listed.at ? known : listed;
}

function firstOf(index: RoomIndex, { courierId }: Position): DeliveryId | null {
  const [first] = index.of(courierId);
  return first?.deliveryId ?? null;
}

function openItem(at: Position, deliveryId: DeliveryId | null): PositionItem {
  return [at.courierId, deliveryId, at.at, at.lat, at.lng, at.headingDeg, at.speedMps];
}

/** The item for recipients: without the id of the courier, and rounded to about 10 m. */
function shyItem(at: Position, deliveryId: DeliveryId): PositionItem {
  return [null, deliveryId, at.at, coarse(at.lat), coarse(at.lng), at.headingDeg, at.speedMps];
}

function coarse(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}
