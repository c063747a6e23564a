// `npm run bench:sockets [-- options]` Measures what frames, maps, idle connections and handshakes cost the server, and a
// bare WebSocket server in the same run.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Session } from '../packages/client/src/credentials.ts';
import type { VendorId } from '../src/domain/ids.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { createApi } from './clients/api.ts';
import { staffSession } from './clients/session.ts';
import { openFrames, openSocketIo, type FrameClient } from './clients/swarm.ts';
import { runPlay } from './command-line.ts';
import { withOwnEngines, type StopFirst } from './engines/own-engines.ts';
import { wholeOf } from './numbers.ts';
import { gridHome } from './pings/contenders.ts';
import { pinSelf, portOf, startPinned } from './pings/pinned.ts';
import { startServer, type PinnedServer } from './pings/server.ts';
import { addressOf } from './servers/fleet.ts';
import { leastKib, WITH_COLLECTOR } from './servers/least-memory.ts';
import { measureOpening, type Opened } from './sockets/connections.ts';
import { measureMap, MOST_CELLS, startFeed, type Feed } from './sockets/map.ts';
import { judge, lastLine, tableOf, type Round, type SocketsReport } from './sockets/report.ts';
import {
  couriersOf,
  measureFanOut,
  openRawRooms,
  openServerRooms,
  type Rooms,
  type Size,
  type Target,
} from './sockets/rooms.ts';
import { measureStall } from './sockets/stall.ts';
import { storeCrew, type Member } from './stored/crew.ts';
import type { Place } from './stored/core.ts';

const USAGE = `npm run bench:sockets -- [options]

  --repeats N       rounds in which the server and the raw server have their turns (5)
  --seconds N       length of one turn (4)
  --rooms N         couriers with 3 readers each; a tenth as many have 100 readers each (100)
  --cells N         cells of the map with 20 moving couriers and one dispatcher each (40)
  --dispatchers N   dispatchers of each cell if several watch it, which are a quarter of the cells (50)
  --stall N         seconds for which as many readers as the large rooms have do not read (15)
  --connections N   couriers who connect and send nothing (8000)
  --json FILE       write all figures there
  --help            this text

Starts its own engines. Measures the CPU of a frame to one of several readers, of a position on a dispatcher's map and of
a handshake, and the memory of an idle connection. Most of them are compared with a bare WebSocket server in the same run.
The bench fails if a median misses its limit.`;

export type Options = {
  readonly repeats: number;
  readonly seconds: number;
  readonly rooms: number;
  readonly cells: number;
  readonly dispatchers: number;
  readonly stall: number;
  readonly connections: number;
  readonly json: string | null;
};

const SMALL = 3;
const LARGE = 100;
const LARGE_SHARE = 0.1;
const RAW = join(import.meta.dirname, 'sockets', 'raw-fan-out.ts');
/** A link and a member of staff have far more connections here than in life. Deliveries of test mode do not expire. */
const SETTINGS = {
  SEARCH_TEST_EXPIRES_AFTER_MS: '0',
  SOCKETS_PER_LINK: '10000',
  SOCKETS_PER_STAFF: '10000',
  SOCKETS_STRANGERS_PER_ADDRESS: '100000',
};

type Where = Place & { readonly dir: string; readonly isPinned: boolean; readonly stopFirst: StopFirst };

/** Both servers with their clients. `carrying` are the couriers of the large rooms, and `idle` those who only connect. */
type Scene = {
  readonly raw: Target & Opened;
  readonly server: Target & Opened;
  readonly rooms: { readonly raw: readonly [Rooms, Rooms]; readonly server: readonly [Rooms, Rooms] };
  readonly staff: Session;
  readonly carrying: readonly Member[];
  readonly idle: readonly Member[];
};

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = {
    repeats: text,
    seconds: text,
    rooms: text,
    cells: text,
    dispatchers: text,
    stall: text,
    connections: text,
    json: text,
  };
  const { values } = parseArgs({ args: [...args], options });
  return {
    repeats: wholeOf('repeats', values.repeats, 5, 1, 1000),
    seconds: wholeOf('seconds', values.seconds, 4, 1, 600),
    rooms: wholeOf('rooms', values.rooms, 100, 1, 2000),
    cells: wholeOf('cells', values.cells, 40, 1, MOST_CELLS),
    dispatchers: wholeOf('dispatchers', values.dispatchers, 50, 1, 1000),
    stall: wholeOf('stall', values.stall, 15, 7, 600),
    connections: wholeOf('connections', values.connections, 8000, 1, 15_000),
    json: values.json ?? null,
  };
}

/** Starts both servers with their clients, and measures them in turn. The caller stops them. */
export async function measure(place: Where, options: Options, say: (line: string) => void): Promise<SocketsReport> {
  const sizes = sizesOf(options.rooms);
  const carrying = couriersOf(sizes);
  const crew = await makeCrew(place, carrying, options.connections);
  const raw = startPinned(RAW, WITH_COLLECTOR, place.isPinned);
  place.stopFirst(() => raw.stop());
  const server = await startOne(place);
  const rawAt = { pid: raw.pid, port: await portOf(raw) };
  const serverAt = { pid: server.process.pid, port: server.port };
  const rooms = { raw: await openAll(sizes, rawAt, null), server: await openAll(sizes, serverAt, crew) };
  const scene = {
    raw: { ...rawAt, bareKib: await leastKib(raw.pid) },
    server: { ...serverAt, bareKib: await leastKib(server.process.pid) },
    rooms,
    staff: staffSession(createApi([addressOf(server.port)]), server.facts.staff),
    carrying: crew.slice(couriersOf([sizes[0]])),
    idle: crew.slice(carrying),
  };
  say('all couriers and readers are connected');
  return judge(await alternate(place, scene, options, say));
}

async function startOne({ mongoUrl, redisUrl, prefix, dir, isPinned, stopFirst }: Where): Promise<PinnedServer> {
  const set = { ...SETTINGS, ...WITH_COLLECTOR, REDIS_PREFIX: prefix };
  const server = await startServer({ mongoUrl, redisUrl }, { dir: join(dir, 'server'), isPinned, set });
  stopFirst(() => server.process.stop());
  return server;
}

/** Stores the couriers. A server runs before, because it makes the collections, the secrets and the demo. */
async function makeCrew(where: Where, carrying: number, idle: number): Promise<Member[]> {
  const first = await startOne(where);
  await first.process.stop();
  const vendorId = first.facts.vendor.id as VendorId;
  return storeCrew(where, { couriers: carrying + idle, carrying, vendorId, homeOf: gridHome });
}

/** Small rooms, and a tenth as many large ones. */
function sizesOf(rooms: number): readonly [Size, Size] {
  return [
    { readers: SMALL, rooms },
    { readers: LARGE, rooms: Math.max(1, Math.round(rooms * LARGE_SHARE)) },
  ];
}

/** Opens the rooms on a server; with couriers of the crew, or on the raw server without them. */
async function openAll(
  [small, large]: readonly [Size, Size],
  target: Target,
  crew: readonly Member[] | null,
): Promise<readonly [Rooms, Rooms]> {
  const open = (size: Size, first: number): Promise<Rooms> =>
    crew === null ? openRawRooms(target, size, first) : openServerRooms(target, size, first, crew);
  return [await open(small, 0), await open(large, couriersOf([small]))];
}

async function alternate(place: Place, scene: Scene, options: Options, say: (line: string) => void): Promise<Round[]> {
  const feed = await startFeed(place);
  const rounds: Round[] = [];
  try {
    for (let repeat = 1; repeat <= options.repeats; repeat += 1) {
      rounds.push(await playRound(scene, feed, options));
      say(`alternation ${repeat} of ${options.repeats}`);
    }
  } finally {
    await feed.stop();
  }
  return rounds;
}

async function playRound(
  { raw, server, rooms, staff, carrying, idle }: Scene,
  feed: Feed,
  options: Options,
): Promise<Round> {
  const { seconds, cells, dispatchers, stall } = options;
  const fanOut = async (at: 0 | 1) => ({
    raw: await measureFanOut(rooms.raw[at], seconds),
    server: await measureFanOut(rooms.server[at], seconds),
  });
  const openRaw = (index: number): Promise<FrameClient> => openFrames(raw.port, `/idle/${index}`, () => {});
  const openIdle = (index: number): Promise<FrameClient> =>
    openSocketIo({
      port: server.port,
      namespace: '/courier',
      auth: { token: idle[index]?.token },
      onEvent: () => {},
      onAck: () => {},
    });
  return {
    opening: {
      raw: await measureOpening(raw, idle.length, openRaw),
      server: await measureOpening(server, idle.length, openIdle),
    },
    smallRooms: await fanOut(0),
    largeRooms: await fanOut(1),
    map: await measureMap({ ...server, staffToken: await staff.token() }, feed, { cells, dispatchers, seconds }),
    stall: await measureStall(server, rooms.server[1], { crew: carrying, seconds: stall }),
  };
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  const play = (options: Options, say: (line: string) => void): Promise<SocketsReport> => {
    const isPinned = pinSelf();
    if (!isPinned) say('taskset or a second core is missing, so server and load share the cores');
    return withOwnEngines('bench-sockets-', (engines) => measure({ ...engines, prefix: '', isPinned }, options, say));
  };
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
