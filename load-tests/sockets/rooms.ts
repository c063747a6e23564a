// Rooms: couriers with the same number of readers each, on the server and on the raw fan-out.
import { openFrames, openSocketIo } from '../clients/swarm.ts';
import { forEachOf, gridHome, newContender } from '../pings/contenders.ts';
import { runLoad, type Contender } from '../pings/load.ts';
import { rawPing, socketIoPing, timeIn } from '../pings/wire.ts';
import type { Member } from '../stored/crew.ts';

/** The size of a room, and how many there are. */
export type Size = { readonly readers: number; readonly rooms: number };

/** Couriers with so many readers each, and as many couriers without readers. */
export type Rooms = { readonly size: Size; readonly read: Contender; readonly unread: Contender };

/** The cost of a frame, and the share of the frames that arrived. */
export type FanOut = { readonly us: number; readonly arrived: number; readonly refused: number };

export type Target = { readonly pid: number; readonly port: number };

export const AT_ONCE = 20;
/** So few that no tick gets two pings of a courier. */
export const PINGS_A_SECOND = 4;

/** How many couriers the rooms of these sizes need on a server. */
export function couriersOf(sizes: readonly Size[]): number {
  return sizes.reduce((sum, { rooms }) => sum + 2 * rooms, 0);
}

/** Opens rooms on the raw fan-out. `first` is the number of their first courier. */
export async function openRawRooms({ pid, port }: Target, size: Size, first: number): Promise<Rooms> {
  const rooms = newRooms(pid, size, first, rawPing);
  await forEachCourier(rooms, first, async (number, contender, place, readers) => {
    await forEachOf(readers, AT_ONCE, async () => {
      await openFrames(port, `/reader/${number}`, (text) => contender.ears?.onFrame(timeIn(text)));
    });
    contender.couriers[place] = await openFrames(port, `/courier/${number}`, (text) => {
      contender.ears?.onAck(Number(text.slice(1, 7)), text);
    });
  });
  return rooms;
}

/** Opens rooms on the server: its couriers, and the tracking pages of what they carry. */
export async function openServerRooms(
  { pid, port }: Target,
  size: Size,
  first: number,
  crew: readonly Member[],
): Promise<Rooms> {
  const rooms = newRooms(pid, size, first, socketIoPing('/courier,'));
  await forEachCourier(rooms, first, async (number, contender, place, readers) => {
    const member = crew[number];
    if (member === undefined || member.load === null) throw new Error(`courier ${number} carries nothing`);
    const { token, load } = member;
    await forEachOf(readers, AT_ONCE, async () => {
      await openSocketIo({
        port,
        namespace: '/track',
        auth: { token: load.trackingToken },
        onEvent: (json) => {
          if (json.startsWith('["positions"')) contender.ears?.onFrame(timeIn(json));
        },
        onAck: () => {},
      });
    });
    contender.couriers[place] = await openSocketIo({
      port,
      namespace: '/courier',
      auth: { token },
      onEvent: () => {},
      onAck: (id, json) => contender.ears?.onAck(id, json),
    });
  });
  return rooms;
}

type Open = Contender & { readonly couriers: Contender['couriers'][number][] };
type OpenRooms = { readonly size: Size; readonly read: Open; readonly unread: Open };

function newRooms(pid: number, size: Size, first: number, pingOf: Contender['pingOf']): OpenRooms {
  const from = (start: number) => (index: number) => gridHome(start + index);
  return {
    size,
    read: newContender('read', pid, pingOf, from(first)),
    unread: newContender('unread', pid, pingOf, from(first + size.rooms)),
  };
}

/** Opens each courier with the number of readers that the courier has. */
async function forEachCourier(
  { size, read, unread }: OpenRooms,
  first: number,
  open: (number: number, contender: Open, place: number, readers: number) => Promise<void>,
): Promise<void> {
  for (let place = 0; place < size.rooms; place += 1) {
    await open(first + place, read, place, size.readers);
    await open(first + size.rooms + place, unread, place, 0);
  }
}

/** Measures what a frame costs: the CPU with the readers less the CPU without them, for the same pings. */
export async function measureFanOut({ size, read, unread }: Rooms, seconds: number): Promise<FanOut> {
  const rate = size.rooms * PINGS_A_SECOND;
  const without = await runLoad(unread, rate, seconds);
  const result = await runLoad(read, rate, seconds);
  const us = (result.cpuUsPerPing * result.acked - without.cpuUsPerPing * without.acked) / result.frames;
  return {
    us,
    arrived: result.frames / (result.acked * size.readers),
    refused: result.refused + without.refused,
  };
}
