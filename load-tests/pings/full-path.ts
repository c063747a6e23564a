// The server itself: a real process, with couriers who have collected a delivery and a recipient who watches each.
import { setTimeout as pause } from 'node:timers/promises';
import { createApi, type Api } from '../clients/api.ts';
import { addressOf } from '../servers/fleet.ts';
import { fundVendor } from '../servers/fund-vendor.ts';
import { courierSession, staffSession } from '../clients/session.ts';
import type { Session } from '../../packages/client/src/credentials.ts';
import { openSocketIo, textFrame, type FrameClient } from '../clients/swarm.ts';
import { forEachOf, gridHome, newContender, type Running } from './contenders.ts';
import { rssKib } from './pinned.ts';
import { startServer, type ServerOptions } from './server.ts';
import { socketIoPing, timeIn } from './wire.ts';

const AT_ONCE = 16;
const ACT_MS = 10_000;
/** The message numbers of the actions before the load. Pings use other numbers. */
const PICK_UP_ID = 1;
const DEPART_ID = 2;

type Stand = {
  readonly api: Api;
  readonly port: number;
  readonly staff: Session;
  readonly vendorKey: string;
};

/** Starts the server on these engines and brings every courier to the point where the recipient sees them move. */
export async function startFullPath(
  couriers: number,
  engines: { mongoUrl: string; redisUrl: string },
  options: ServerOptions,
): Promise<Running> {
  const { process, port, facts } = await startServer(engines, options);
  try {
    const contender = newContender('full path', process.pid, socketIoPing('/courier,'), gridHome);
    await fundVendor(engines.mongoUrl, 1, facts.vendor.id);
    const api = createApi([addressOf(port)]);
    const stand: Stand = { api, port, staff: staffSession(api, facts.staff), vendorKey: facts.vendor.api_key };
    const bareKib = rssKib(process.pid);
    await forEachOf(couriers, AT_ONCE, async (index) => {
      contender.couriers[index] = await placeCourier(stand, index, {
        onAck: (id, json) => contender.ears?.onAck(id, json),
        onFrame: (json) => contender.ears?.onFrame(timeIn(json)),
      });
    });
    return { contender, process, bareKib };
  } catch (error) {
    // No other code knows this server yet, so it must not be left behind.
    await process.stop();
    throw error;
  }
}

type Ears = { onAck: (id: number, json: string) => void; onFrame: (json: string) => void };

/** Onboards a courier, assigns a delivery by hand, lets the courier collect it, and opens its tracking socket. */
async function placeCourier(stand: Stand, index: number, ears: Ears): Promise<FrameClient> {
  const { api, port, staff, vendorKey } = stand;
  const phone = `+4916${String(10_000_000 + index).padStart(9, '0')}`;
  const onboard = { name: `Courier ${index}`, phone, vehicle_type: 'scooter', live_mode: false };
  const { id: courierId } = await api.call<{ id: string }>('POST', '/couriers/onboard', {
    token: await staff.token(),
    body: onboard,
  });
  await api.call('POST', `/couriers/${courierId}/activate`, { token: await staff.token() });
  const token = await courierSession(api, phone).token();
  await api.call('PATCH', `/couriers/${courierId}/status`, { token, body: { status: 'online' } });
  const { id: deliveryId } = await api.call<{ id: string }>('POST', '/deliveries', {
    token: vendorKey,
    body: bodyOf(index),
  });
  await api.call('POST', '/dispatch/assign', {
    token: await staff.token(),
    body: { delivery_id: deliveryId, courier_id: courierId },
  });
  const courier = await openActing(port, token, deliveryId, ears);
  const { url } = await api.call<{ url: string }>('GET', `/deliveries/${deliveryId}/tracking-url`, {
    token: vendorKey,
  });
  await openSocketIo({
    port,
    namespace: '/track',
    auth: { token: url.slice(url.lastIndexOf('/') + 1) },
    onEvent: (json) => {
      if (json.startsWith('["positions"')) ears.onFrame(json);
    },
    onAck: () => {},
  });
  return courier;
}

/** The courier's socket, after it has picked up and departed. */
async function openActing(port: number, token: string, deliveryId: string, ears: Ears): Promise<FrameClient> {
  const answers = new Map<number, string>();
  const client = await openSocketIo({
    port,
    namespace: '/courier',
    auth: { token },
    onEvent: () => {},
    onAck: (id, json) => (id > DEPART_ID ? ears.onAck(id, json) : void answers.set(id, json)),
  });
  const act = async (id: number, message: string): Promise<void> => {
    // The server has no position of the courier yet, so the courier gives a reason instead.
    const body = { delivery_id: deliveryId, override_reason: 'has not moved yet' };
    client.send(textFrame(`42/courier,${id}${JSON.stringify([message, body])}`));
    const deadline = performance.now() + ACT_MS;
    while (!answers.has(id) && performance.now() < deadline) await pause(5);
    if (answers.get(id)?.includes('"ok":true') !== true)
      throw new Error(`${message}: ${answers.get(id) ?? 'no answer'}`);
  };
  await act(PICK_UP_ID, 'delivery.pick_up');
  await act(DEPART_ID, 'delivery.depart');
  return client;
}

function bodyOf(index: number): object {
  const { lat, lng } = gridHome(index);
  const contact = { name: `Place ${index}`, phone: '+493012345678' };
  return {
    external_id: `bench-${index}`,
    pickup: { coordinates: { lat, lng }, contact },
    // Far enough that no courier arrives by going to and fro.
    drop_off: [{ coordinates: { lat: lat + 0.05, lng: lng + 0.05 }, contact }],
  };
}
