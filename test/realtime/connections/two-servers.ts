/** Two servers to compare: one with the short way in, one in which Socket.IO reads everything. The client writes its own frames. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { onTestFinished } from 'vitest';
import { openFrames, textFrame } from '../../../load-tests/clients/swarm.ts';
import type { RawConnection } from '../../../src/realtime/sockets.ts';
import { leanServer } from '../../../src/realtime/connections/lean-websocket.ts';
import { ShortWayIn, type HandleEvent } from '../../../src/realtime/connections/short-way-in.ts';
import { keptLog } from '../../kept-ports.ts';
import { until } from '../../until.ts';

const NAMESPACES = ['/a', '/b'];
/** The events that the short way knows. Socket.IO gets all others, and they are answered too. */
const EVENTS = new Set(['ping', 'mark']);
/** No heartbeat comes in between. */
const QUIET_MS = 3_600_000;

/** The server’s side of a connection: what it has heard of the client, in order, and how many packets it has counted. */
type Side = { readonly raw: RawConnection; readonly way: ShortWayIn | null; readonly heard: string[]; packets: number };

/** Starts a server that only Socket.IO reads for, or one with the short way. */
export async function serve(isShort: boolean) {
  const http = createServer();
  const wsEngine = isShort ? { wsEngine: leanServer(keptLog())! } : {};
  const options = { transports: ['websocket' as const], pingInterval: QUIET_MS, perMessageDeflate: false };
  const io = new Server(http, { ...options, ...wsEngine });
  const sides = new WeakMap<object, Side>();
  io.engine.on('connection', (raw: RawConnection) => {
    const side: Side = { raw, way: isShort ? ShortWayIn.open(raw) : null, heard: [], packets: 0 };
    raw.on('packet', () => (side.packets += 1));
    sides.set(raw, side);
  });
  for (const namespace of NAMESPACES)
    io.of(namespace).on('connection', (socket) => hearAll(socket, sides.get(socket.conn)!));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return { io, sideOf: (raw: object) => sides.get(raw)!, port: (http.address() as AddressInfo).port };
}

export type Served = Awaited<ReturnType<typeof serve>>;

/** Answers every event, sends a numbered message for it, and notes what it hears. */
function hearAll(socket: Socket, side: Side): void {
  const { way, heard } = side;
  const namespace = socket.nsp.name;
  let events = 0;
  const handle: HandleEvent = (name, body, answer) => {
    heard.push(`${namespace} ${String(name)} ${JSON.stringify(body)}`);
    events += 1;
    const number = events;
    const onAck = (): void => void heard.push(`${namespace} acknowledged ${number}`);
    if (way?.send(namespace, 'told', { number }, onAck) !== true) socket.emit('told', { number }, onAck);
    answer({ number });
    // Only the first answer counts.
    answer({ number: -1 });
  };
  socket.use(([name, ...given]: unknown[]) => {
    const last = given.at(-1);
    const answer = typeof last === 'function' ? (result: object) => void last(result) : () => {};
    handle(name, typeof given[0] === 'function' ? undefined : given[0], answer);
  });
  way?.add({ namespace, events: EVENTS, handle });
  socket.on('disconnect', () => {
    heard.push(`${namespace} left`);
    way?.remove(namespace);
  });
}

/** A client in `/a`, the server's side of it, and what the client has heard. */
export async function open({ io, port, sideOf }: Served) {
  const connected = once(io.engine, 'connection') as Promise<[RawConnection]>;
  const texts: string[] = [];
  const client = await openFrames(port, '/socket.io/?EIO=4&transport=websocket', (text) => void texts.push(text));
  onTestFinished(() => client.close());
  const [raw] = await connected;
  client.send(textFrame('40/a,'));
  await until(() => texts.some((text) => text.startsWith('40/a')));
  return { client, texts, side: sideOf(raw) };
}

/** A message of the server, and the number under which the client acknowledges it. */
export const TOLD = /^42(?<namespace>\/[ab]),(?<id>\d+)\["told"/u;

/** No server comes that far. */
const UNKNOWN_ID = '999999999';

export type Act =
  | { readonly do: 'text'; readonly text: string }
  | { readonly do: 'bytes' }
  /** Acknowledges a message that it has heard, counted from the newest one. */
  | { readonly do: 'ack'; readonly back: number; readonly type: string; readonly gap: string; readonly json: string };

export function frameOf(act: Act, texts: readonly string[]): Buffer {
  if (act.do === 'bytes') return Buffer.from([0x82, 0x82, 0, 0, 0, 0, 1, 2]);
  if (act.do === 'text') return textFrame(act.text);
  const { namespace = '/a', id = UNKNOWN_ID } =
    texts
      .map((text) => TOLD.exec(text)?.groups ?? {})
      .filter(({ id: own }) => own !== undefined)
      .at(-1 - act.back) ?? {};
  return textFrame(`${act.type}${namespace},${act.gap}${id}${act.json}`);
}
