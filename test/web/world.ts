import type { Socket } from 'socket.io-client';
import { call, connect, logIn } from '../e2e/client.ts';
import type { TestServer } from '../e2e/servers.ts';

type Place = { readonly lat: number; readonly lng: number };

export type Delivery = { readonly id: string; readonly url: string };

export type TestCourier = {
  readonly id: string;
  readonly token: string;
  readonly socket: Socket;
  /** Reports a place, heading north-east. */
  ping(place: Place): Promise<void>;
  /** Does one of the courier's verbs. */
  act(message: string, body: Record<string, unknown>): Promise<void>;
  setAvailability(status: 'online' | 'offline'): Promise<void>;
};

/** A courier of the demo, online and heard of. */
export async function startCourier(server: TestServer, index: number, place: Place): Promise<TestCourier> {
  const facts = server.demo.couriers[index];
  if (facts === undefined) throw new Error(`the demo has no courier ${index}`);
  const token = await logIn(server.baseUrl, { phone: facts.phone });
  const setAvailability = async (status: 'online' | 'offline'): Promise<void> => {
    await insist(call(server.baseUrl, `PATCH /couriers/${facts.id}/status`, { token, body: { status } }));
  };
  await setAvailability('online');
  const socket = await connect(server.baseUrl, '/courier', { token });
  let seq = 0;
  const courier: TestCourier = {
    id: facts.id,
    token,
    socket,
    ping: async ({ lat, lng }) => {
      const { body } = await call(server.baseUrl, 'GET /healthz');
      seq += 1;
      await insistOk(socket, 'ping', { fixes: [[seq, Number(body['now']), lat, lng, 5, 5, 45]] });
    },
    act: (message, body) => insistOk(socket, message, body),
    setAvailability,
  };
  await courier.ping(place);
  return courier;
}

/** A delivery from the demo's location to a place `east` and `north` of it, in degrees. */
export async function order(server: TestServer, externalId: string, east = 0.02, north = 0.012): Promise<Delivery> {
  const { id, urls } = await orderAll(server, externalId, [{ east, north }]);
  return { id, url: urls[0] ?? '' };
}

/** The same to several places; `urls` are what their recipients open. */
export async function orderAll(
  server: TestServer,
  externalId: string,
  places: readonly { readonly east: number; readonly north: number; readonly verification?: object }[],
): Promise<{ readonly id: string; readonly urls: readonly string[] }> {
  const { vendor, center } = server.demo;
  const body = {
    external_id: externalId,
    pickup: { location_id: vendor.location_id },
    drop_off: places.map(({ east, north, ...required }) => ({
      ...required,
      coordinates: { lat: center.lat + north, lng: center.lng + east },
      address: 'Garden Street 12',
      contact: { name: 'Robin', phone: '+4915112345699' },
      instructions: 'Ring twice, second courtyard',
    })),
  };
  const answer = await insist(call(server.baseUrl, 'POST /express/deliveries', { token: vendor.api_key, body }));
  const dropOffs = answer['drop_off'] as { tracking_url: string }[];
  return { id: String(answer['id']), urls: dropOffs.map(({ tracking_url: url }) => url) };
}

export async function assign(
  server: TestServer,
  staffToken: string,
  delivery: Delivery,
  courierId: string,
): Promise<void> {
  const body = { delivery_id: delivery.id, courier_id: courierId };
  await insist(call(server.baseUrl, 'POST /dispatch/assign', { token: staffToken, body }));
}

async function insist(answering: ReturnType<typeof call>): Promise<Record<string, unknown>> {
  const { status, body } = await answering;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

async function insistOk(socket: Socket, message: string, body: object): Promise<void> {
  const ack = (await socket.timeout(60_000).emitWithAck(message, body)) as { ok: boolean };
  if (!ack.ok) throw new Error(`${message}: ${JSON.stringify(ack)}`);
}
