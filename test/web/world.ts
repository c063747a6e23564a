import type { Socket } from 'socket.io-client';
import { decodePolyline } from '../../src/domain/geo/polyline.ts';
import { call, connect, logIn } from '../e2e/client.ts';
import type { TestServer } from '../e2e/servers.ts';

type Place = { readonly lat: number; readonly lng: number };

export type Delivery = { readonly id: string; readonly url: string };

type Addressed = { readonly place: Place; readonly address: string };
type StreetOrder = {
  readonly externalId: string;
  readonly from: Addressed;
  readonly to: Addressed;
  readonly priority?: 'express' | 'scheduled';
  /** When the goods are ready; by default at once. */
  readonly readyInMs?: number;
};

type CourierFacts = { readonly id: string; readonly phone: string };

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
  return bringToWork(server, facts, place);
}

/** A new courier who may work. */
export async function onboard(
  server: TestServer,
  staffToken: string,
  profile: { readonly name: string; readonly phone: string; readonly vehicle_type: string },
): Promise<CourierFacts> {
  const made = await insist(call(server.baseUrl, 'POST /couriers/onboard', { token: staffToken, body: profile }));
  const id = String(made['id']);
  await insist(call(server.baseUrl, `POST /couriers/${id}/activate`, { token: staffToken }));
  return { id, phone: profile.phone };
}

/** Takes a courier online and reports their place. */
export async function bringToWork(server: TestServer, facts: CourierFacts, place: Place): Promise<TestCourier> {
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

/** A delivery between two places, with the way along streets. The server knows the way from the quote. */
export async function orderAlongStreets(server: TestServer, { from, to, ...order }: StreetOrder): Promise<Delivery> {
  const token = server.demo.vendor.api_key;
  const places = { pickup: { coordinates: from.place }, drop_off: [{ coordinates: to.place }] };
  await insist(call(server.baseUrl, 'POST /express/quotes', { token, body: places }));
  const contact = { name: 'Robin', phone: '+4915112345699' };
  const { externalId: external_id, priority = 'express', readyInMs } = order;
  const window =
    readyInMs === undefined ? {} : { window: { ready_at: new Date(Date.now() + readyInMs).toISOString() } };
  const pickup = { ...places.pickup, ...window, address: from.address, contact };
  const dropOff = { coordinates: to.place, address: to.address, contact, instructions: 'Ring twice, second courtyard' };
  const body = { external_id, priority, pickup, drop_off: [dropOff] };
  const made = await insist(call(server.baseUrl, 'POST /deliveries', { token, body }));
  const [{ tracking_url: url = '' } = {}] = made['drop_off'] as { tracking_url?: string }[];
  return { id: String(made['id']), url };
}

/** The place on the way of a delivery after this share of the points of its line. */
export async function placeAlong(server: TestServer, { id }: Delivery, share: number): Promise<Place> {
  const body = await insist(call(server.baseUrl, `GET /deliveries/${id}`, { token: server.demo.vendor.api_key }));
  const [leg] = body['legs'] as { polyline: string }[];
  const line = decodePolyline(leg?.polyline ?? '');
  const place = line[Math.floor(line.length * share)];
  if (place === undefined) throw new Error(`delivery ${id} has no way along streets`);
  return place;
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

/** Cancels a delivery for its vendor. */
export async function cancel(server: TestServer, { id }: Pick<Delivery, 'id'>): Promise<void> {
  const token = server.demo.vendor.api_key;
  await insist(call(server.baseUrl, `POST /express/deliveries/${id}/cancel`, { token, body: {} }));
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
