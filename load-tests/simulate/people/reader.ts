import type { RecordableHistogram } from 'node:perf_hooks';
// A socket that reads events and positions as a good client does.
import type { Socket } from 'socket.io-client';
import { isEvent, type PresentedEvent } from '../../clients/wire.ts';
import type { Ack, Namespace, PositionsFrame, ResyncAnswer, Snapshot } from '../../../src/realtime/protocol.ts';
import { keepConnected, type Connection } from '../../clients/connection.ts';
import { createMarks, type Marks } from './marks.ts';
import type { ServiceTime } from '../../clients/service-time.ts';
import { recordMs } from '../../statistics.ts';

export type ReaderOptions = {
  readonly addresses: readonly string[];
  readonly namespace: Namespace;
  readonly token: () => Promise<string>;
  readonly time: ServiceTime;
  /** Machine ms from the fix to the frame. */
  readonly positionLag: RecordableHistogram;
  /** True if the reader is entitled to every event. False if only from the first snapshot on. */
  readonly fromTheStart: boolean;
  readonly onEvent?: (event: PresentedEvent) => void;
  /** An answer has status 500. */
  readonly onServerError: (what: string) => void;
};

export type Reader = {
  readonly connection: Connection;
  readonly marks: Marks;
  readonly frames: () => number;
  close(): void;
};

/** The events that end a delivery. */
export const ENDS = ['delivered', 'canceled', 'delivery.failed'];

const RESYNC_MS = 5000;
/** The most marks in a handshake. The server ignores more. */
const MOST_MARKS = 500;

/** Starts to read. Continues after reconnects until closed. */
export function startReader(options: ReaderOptions): Reader {
  const marks = createMarks();
  const asking = new Set<string>();
  const ended = new Set<string>();
  let named: Record<string, number> = {};
  let frames = 0;
  const tell = (event: PresentedEvent): void => {
    if (ENDS.includes(event.type)) ended.add(event.delivery_id);
    options.onEvent?.(event);
  };

  async function resync(socket: Socket, deliveryId: string): Promise<void> {
    if (asking.has(deliveryId)) return;
    asking.add(deliveryId);
    try {
      const body = { delivery_id: deliveryId, after: marks.of(deliveryId) };
      const answer = (await socket.timeout(RESYNC_MS).emitWithAck('resync', body)) as Ack<ResyncAnswer>;
      connection.heed('resync', answer);
      if (answer.ok) for (const event of marks.resynced(deliveryId, answer)) tell(event);
    } catch {
      // The connection was lost with the question. The next handshake names the mark and asks again.
    } finally {
      asking.delete(deliveryId);
    }
  }
  const catchUp = (socket: Socket, top: Record<string, number>): void => {
    for (const deliveryId of marks.behind(top)) void resync(socket, deliveryId);
  };
  const listen = (socket: Socket): void => {
    socket.on('connect', () => marks.reconnected());
    socket.onAny((_name: string, payload: unknown) => {
      if (!isEvent(payload)) return;
      const intake = marks.arrive(payload);
      if (intake === 'taken') tell(payload);
      if (intake === 'gap') void resync(socket, payload.delivery_id);
    });
    socket.on('snapshot', ({ delivery_id: deliveryId, sequence }: Snapshot) => {
      if (!options.fromTheStart) marks.begin(deliveryId, sequence);
      // The server replays the deliveries of the handshake after its snapshot without a question.
      if (!Object.hasOwn(named, deliveryId)) catchUp(socket, { [deliveryId]: sequence });
    });
    socket.on('top', (top: Record<string, number>) => catchUp(socket, top));
    socket.on('positions', (frame: PositionsFrame, acknowledge: () => void) => {
      acknowledge();
      frames += 1;
      const now = options.time.now();
      for (const item of frame.items) recordMs(options.positionLag, options.time.toRealMs(now - item[2]));
    });
  };
  const auth = async (): Promise<object> => {
    named = openMarks(marks, ended);
    return { token: await options.token(), last_seq: named };
  };
  const { addresses, namespace, onServerError } = options;
  const connection = keepConnected({ addresses, namespace, auth, listen, onServerError });
  return { connection, marks, frames: () => frames, close: () => connection.close() };
}

/** The marks of deliveries that have not ended for this reader. The others have no more events. */
function openMarks(marks: Marks, ended: ReadonlySet<string>): Record<string, number> {
  const open = Object.entries(marks.lastSeq()).filter(([deliveryId]) => !ended.has(deliveryId));
  return Object.fromEntries(open.slice(-MOST_MARKS));
}
