// Couriers on sockets. Some carry a delivery, and its recipient watches them on the tracking page's socket.
import type { FixTuple } from '../../../src/domain/couriers/fix-tuple.ts';
import type { Socket } from 'socket.io-client';
import type { PositionsFrame } from '../../../src/realtime/protocol.ts';
import { ask } from '../../simulate/people/act.ts';
import { keepConnected, type Connection } from '../../clients/connection.ts';
import type { Registered } from '../../simulate/people/courier.ts';
import { courierSession } from '../../clients/session.ts';
import { createDelivery, trackingTokenOf } from './orders.ts';
import type { Scene } from './scene.ts';

/** A courier's phone on which positions can be sent. */
export type Phone = {
  /**
   * Sends the position now. `answered` settles with the server's answer, and `seen` when the recipient's page has the
   * position. `seen` is null without a recipient. Both reject after `patienceMs`.
   */
  report(patienceMs: number): { answered: Promise<void>; seen: Promise<void> | null };
  /** Delivers what the courier carries, and disconnects. */
  leave(): Promise<void>;
};

/** A step before or after the measurement must be answered within this time, ms. */
const SETUP_MS = 20_000;

/** A courier at the demo's centre who carries nothing. */
export async function startPhone(scene: Scene, registered: Registered): Promise<Phone> {
  const connection = connect(scene, registered);
  await connection.whenLive();
  const sendFix = createFixes(scene, connection);
  return {
    report: (patienceMs) => ({ answered: sendFix(patienceMs).answered, seen: null }),
    leave: async () => connection.close(),
  };
}

/** A courier who has collected a delivery, and its recipient. @throws Error when the server refuses a step of it */
export async function startCarrier(scene: Scene, registered: Registered): Promise<Phone> {
  const { api, staff } = scene;
  const connection = connect(scene, registered);
  await connection.whenLive();
  const sendFix = createFixes(scene, connection);
  const staffToken = await staff.token();
  await api.call('PATCH', `/couriers/${registered.id}/status`, { token: staffToken, body: { status: 'online' } });
  const deliveryId = await createDelivery(scene);
  const body = { delivery_id: deliveryId, courier_id: registered.id };
  await api.call('POST', '/dispatch/assign', { token: staffToken, body });
  await sendFix(SETUP_MS).answered;
  await insist(connection, 'delivery.pick_up', { delivery_id: deliveryId });
  const page = watch(scene, await trackingTokenOf(scene, deliveryId));
  await page.connection.whenLive();
  return {
    report: (patienceMs) => {
      const { at, answered } = sendFix(patienceMs);
      return { answered, seen: page.whenSeen(at, patienceMs) };
    },
    leave: async () => {
      await sendFix(SETUP_MS).answered;
      await insist(connection, 'delivery.depart', { delivery_id: deliveryId });
      await insist(connection, 'delivery.deliver', { delivery_id: deliveryId, stop: 1 });
      page.connection.close();
      connection.close();
    },
  };
}

function connect({ api }: Scene, { phone }: Registered): Connection {
  const session = courierSession(api, phone);
  return keepConnected({
    addresses: api.addresses,
    namespace: '/courier',
    auth: async () => ({ token: await session.token() }),
    listen: (socket) => {
      socket.on('offer.new', (_offer: object, acknowledge: (seen: object) => void) => acknowledge({ ok: true }));
    },
  });
}

type SendFix = (patienceMs: number) => { readonly at: number; readonly answered: Promise<void> };

/** Degrees between two fixes: 11 m, because the server does not show a courier again who stands still. */
const STEP = 0.0001;

/** Sends fixes at the demo's centre, to and fro, each with its own service time. */
function createFixes({ facts, time }: Scene, connection: Connection): SendFix {
  let seq = 0;
  return (patienceMs) => {
    seq += 1;
    const at = Math.round(time.now());
    const fix: FixTuple = [seq, at, facts.center.lat + STEP * (seq % 2), facts.center.lng, 8, 0, 0];
    return { at, answered: emit(connection, 'ping', { fixes: [fix] }, patienceMs) };
  };
}

/**
 * Sends a message and waits for a positive answer.
 * @throws Error when there is no connection, no answer in time or a refusal
 */
async function emit(connection: Connection, name: string, body: object, patienceMs: number): Promise<void> {
  const socket = connection.socket();
  if (socket === null) throw new Error('there is no connection');
  const answer = (await socket.timeout(patienceMs).emitWithAck(name, body)) as { ok: boolean };
  if (!answer.ok) throw new Error(`${name} was refused: ${JSON.stringify(answer)}`);
}

async function insist(connection: Connection, name: string, body: object): Promise<void> {
  const answer = await ask(connection, name, body);
  if (answer?.ok !== true) throw new Error(`${name} was refused: ${JSON.stringify(answer)}`);
}

type Page = { readonly connection: Connection; whenSeen(at: number, patienceMs: number): Promise<void> };

/** A recipient's page. Frames contain the newest fix, so a later fix also answers the wait for an earlier one. */
function watch({ api }: Scene, token: string): Page {
  const waiting = new Map<number, () => void>();
  const listen = (socket: Socket): void => {
    socket.on('positions', ({ items }: PositionsFrame, acknowledge: () => void) => {
      acknowledge();
      const newest = Math.max(...items.map(([, , at]) => at));
      for (const [at, settle] of waiting) if (at <= newest) settle();
    });
  };
  const connection = keepConnected({
    addresses: api.addresses,
    namespace: '/track',
    auth: () => Promise.resolve({ token }),
    listen,
  });
  return {
    connection,
    whenSeen: (at, patienceMs) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          waiting.delete(at);
          clearTimeout(timer);
          settle();
        };
        const timer = setTimeout(() => end(() => reject(new Error('the page did not show the position'))), patienceMs);
        waiting.set(at, () => end(resolve));
      }),
  };
}
