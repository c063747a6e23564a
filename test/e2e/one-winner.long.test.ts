import { regionOf } from '../regions.ts';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { newId, type CourierId, type DeliveryId } from '../../src/domain/ids.ts';
import type { Offer } from '../../src/domain/offers/offer.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { createStores } from '../../src/models/stores.ts';
import { defaultSettings } from '../../src/settings.ts';
import { testEngines } from '../engines.ts';
import { QUIET } from '../engines/mongo-house.ts';
import { until } from '../until.ts';
import { call, connect, inParallel, logIn } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const COURIERS = 500;
const WIDTH = 25;
/** Longer than a busy machine needs to write all offers: no offer may expire before it is accepted. */
const OFFER_MS = 600_000;

const engines = testEngines('one-winner');
let servers: TestServer[] = [];

beforeAll(async () => {
  servers = [await startServer(engines), await startServer(engines)];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

async function onboard(index: number, staff: string): Promise<{ id: CourierId; socket: Socket }> {
  const server = servers[index % servers.length] as TestServer;
  const phone = `+49152${String(10_000_000 + index)}`;
  const body = { name: `Courier ${index}`, phone, vehicle_type: 'bicycle', live_mode: false };
  const made = await call(server.baseUrl, 'POST /couriers/onboard', { token: staff, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const id = made.body['id'] as CourierId;
  await call(server.baseUrl, `POST /couriers/${id}/activate`, { token: staff });
  const token = await logIn(server.baseUrl, { phone });
  const online = await call(server.baseUrl, `PATCH /couriers/${id}/status`, { token, body: { status: 'online' } });
  expect(online.status, JSON.stringify(online.body)).toBe(200);
  return { id, socket: await connect(server.baseUrl, '/courier', { token }) };
}

type Ack = { ok: boolean; problem?: { code: string; retryable: boolean } };

/** Accepts the offer. Tries again while the server answers that it is too busy, since that decides nothing. */
async function accept(socket: Socket, offerId: string | undefined): Promise<Ack> {
  for (;;) {
    const ack = (await socket.timeout(60_000).emitWithAck('offer.accept', { offer_id: offerId })) as Ack;
    if (ack.problem?.retryable !== true) return ack;
  }
}

test(
  '[Z1] of 500 couriers on two processes who accept one delivery at once exactly one gets it',
  { timeout: 300_000 },
  async () => {
    const [first] = servers as [TestServer];
    const staff = await logIn(first.baseUrl, first.demo.staff);
    const couriers = await inParallel(Array.from({ length: COURIERS }), WIDTH, (_, index) => onboard(index, staff));
    const { lat, lng } = first.demo.center;
    const created = await call(first.baseUrl, 'POST /express/deliveries', {
      token: first.demo.vendor.api_key,
      body: {
        pickup: { location_id: first.demo.vendor.location_id },
        drop_off: [{ coordinates: { lat: lat + 0.01, lng }, contact: { name: 'Robin', phone: '+4915112345699' } }],
      },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const deliveryId = created.body['id'] as DeliveryId;

    const mongo = await connectMongo(engines.mongoUrl, QUIET);
    const { offers } = createStores(mongo, createClock(), defaultSettings());
    const now = Date.now();
    const made = couriers.map(({ id }): Offer => ({
      id: newId('off'),
      deliveryId,
      deliveryVersion: Number(created.body['version']),
      courierId: id,
      region: regionOf({ lat, lng }),
      fence: 1_000_000,
      isExclusive: false,
      state: 'open',
      distanceM: null,
      createdAt: now,
      expiresAt: now + OFFER_MS,
      deliveredAt: null,
      closedAt: null,
      reason: null,
    }));
    const opened = await inParallel(made, WIDTH, (offer) => offers.open(offer));
    expect(opened.filter(Boolean)).toHaveLength(COURIERS);

    const answers = await Promise.all(couriers.map(({ socket }, index) => accept(socket, made[index]?.id)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const refusals = answers.filter(({ ok }) => !ok).map(({ problem }) => problem?.code);
    expect(new Set(refusals)).toEqual(new Set(['offer_taken']));
    expect(refusals).toHaveLength(COURIERS - 1);

    // The history comes from what a majority has stored, and may be a moment behind the answers.
    let types: string[] = [];
    await until(async () => {
      const { body } = await call(first.baseUrl, `GET /deliveries/${deliveryId}/history`, { token: staff });
      types = (body['data'] as { type: string }[]).map(({ type }) => type);
      return types.includes('courier.assigned');
    });
    expect(types.filter((type) => type === 'courier.assigned')).toHaveLength(1);
    for (const { socket } of couriers) socket.close();
    await mongo.close();
  },
);
