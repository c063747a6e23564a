import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Coordinates } from '../../src/domain/geo/geo.ts';
import { CLOCK_STEP_FILE } from '../../load-tests/servers/clock-step.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { startWorkClock } from '../work-clock.ts';
import { call, connect, logIn } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const CONTACT = { name: 'Robin', phone: '+4915112345699' };
/** Time after a step within which everything must work again. */
const LIMIT_MS = 10_000;
/** The limit only ends a wait for an answer that never comes. */
const ANSWER_MS = 60_000;
/** Before `ready_at`, by default. */
const LEAD_MS = 20 * MINUTE_MS;
const PRELOAD = pathToFileURL(path.resolve('load-tests', 'servers', 'skewed-clock.ts')).href;

type Machine = { readonly server: TestServer; step(ms: number): void };

const engines = testEngines('clock-steps');
let machines: Machine[] = [];

beforeAll(async () => {
  machines = [await startMachine(), await startMachine()];
  const [first] = machines as [Machine];
  const { couriers } = first.server.demo;
  const token = await logIn(first.server.baseUrl, { phone: couriers[0]?.phone ?? '' });
  const route = `PATCH /couriers/${couriers[0]?.id}/status`;
  await call(first.server.baseUrl, route, { token, body: { status: 'online' } });
}, 300_000);
afterAll(async () => {
  await Promise.all(machines.map(({ server }) => server.stop()));
});

/** A server on a machine whose wall clock can be stepped. */
async function startMachine(): Promise<Machine> {
  const server = await startServer(engines, { NODE_OPTIONS: `--import ${PRELOAD}` });
  let stepMs = 0;
  return {
    server,
    step: (ms) => {
      stepMs += ms;
      writeFileSync(path.join(path.dirname(server.demoFile), CLOCK_STEP_FILE), String(stepMs));
      server.signal('SIGUSR2');
    },
  };
}

async function nowOf({ server }: Machine): Promise<number> {
  return Number((await call(server.baseUrl, 'GET /healthz')).body['now']);
}

/** Orders through the server. `readyAt` makes it a scheduled delivery, far from all couriers. */
async function order({ server }: Machine, readyAt: number | null): Promise<string> {
  const { vendor, center } = server.demo;
  const body = readyAt === null ? express(vendor.location_id, center) : scheduled(center, readyAt);
  const made = await call(server.baseUrl, 'POST /deliveries', { token: vendor.api_key, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return String(made.body['id']);
}

function express(locationId: string, { lat, lng }: Coordinates): object {
  const dropOff = { coordinates: { lat: lat + 0.01, lng }, contact: CONTACT };
  return { pickup: { location_id: locationId }, drop_off: [dropOff], priority: 'express' };
}

function scheduled({ lat, lng }: Coordinates, readyAt: number): object {
  const window = (from: number, to: number): object => ({
    ready_at: new Date(readyAt + from * MINUTE_MS).toISOString(),
    deadline_at: new Date(readyAt + to * MINUTE_MS).toISOString(),
  });
  const place = (away: number): object => ({ coordinates: { lat: lat + away, lng }, contact: CONTACT });
  return {
    pickup: { ...place(1), window: window(0, 30) },
    drop_off: [{ ...place(1.01), window: window(20, 90) }],
    priority: 'scheduled',
  };
}

async function statusOf({ server }: Machine, id: string): Promise<unknown> {
  return (await call(server.baseUrl, `GET /deliveries/${id}`, { token: server.demo.vendor.api_key })).body['status'];
}

async function cancel({ server }: Machine, id: string): Promise<void> {
  await call(server.baseUrl, `POST /deliveries/${id}/cancel`, { token: server.demo.vendor.api_key });
}

/** A courier who logs in with one server, connects to the other, stands at the center and keeps their offers. */
async function onDuty(logsIn: Machine, { server }: Machine): Promise<{ socket: Socket; offers: Map<string, string> }> {
  const { couriers, center } = server.demo;
  const token = await logIn(logsIn.server.baseUrl, { phone: couriers[0]?.phone ?? '' });
  const socket = await connect(server.baseUrl, '/courier', { token });
  const offers = new Map<string, string>();
  socket.on('offer.new', (offer: { offer_id: string; delivery_id: string }, seen: (answer: { ok: true }) => void) => {
    offers.set(offer.delivery_id, offer.offer_id);
    seen({ ok: true });
  });
  let seq = 0;
  const report = async (): Promise<void> => {
    const now = Number((await call(server.baseUrl, 'GET /healthz')).body['now']);
    seq += 1;
    socket.emit('ping', { fixes: [[seq, now, center.lat, center.lng, 8, 0, 0]] }, () => undefined);
  };
  await report();
  const timer = setInterval(() => void report(), 500);
  socket.once('disconnect', () => clearInterval(timer));
  return { socket, offers };
}

type Step = {
  readonly stepped: readonly number[];
  readonly ms: number;
  readonly movesMs: number;
  readonly what: string;
};

const STEPS: readonly Step[] = [
  { stepped: [0], ms: -HOUR_MS, movesMs: 0, what: 'one server steps back by 1 h' },
  { stepped: [1], ms: -HOUR_MS, movesMs: 0, what: 'the other one follows, so that both are back' },
  { stepped: [1], ms: 2 * HOUR_MS, movesMs: HOUR_MS, what: 'one server steps to 1 h ahead' },
  { stepped: [0, 1], ms: HOUR_MS, movesMs: HOUR_MS, what: 'all servers step forward by 1 h' },
  { stepped: [0, 1], ms: -HOUR_MS, movesMs: 0, what: 'all servers step back by 1 h' },
];

for (const [index, { stepped, ms, movesMs, what }] of STEPS.entries()) {
  test(`[C7] readiness, leases, offers and due searches work within 10 s when ${what}`, async () => {
    const [one, other] =
      index % 2 === 0 ? (machines as [Machine, Machine]) : (machines.toReversed() as [Machine, Machine]);
    const before = await nowOf(one);
    const early = await order(one, before + LEAD_MS + HOUR_MS / 2);
    const workedMs = await startWorkClock();
    for (const place of stepped) machines[place]?.step(ms);
    // Sessions and searches that start before a step forward are an hour old after it, so they end.
    await until(async () => Math.min(await nowOf(one), await nowOf(other)) >= before + movesMs);
    for (const { server } of machines)
      await until(async () => (await fetch(`${server.baseUrl}/readyz`)).status === 200);
    const late = await order(one, (await nowOf(other)) + LEAD_MS + 500);
    const { socket, offers } = await onDuty(one, other);
    const delivery = await order(other, null);
    await until(() => offers.has(delivery));
    const answer: unknown = await socket
      .timeout(ANSWER_MS)
      .emitWithAck('offer.accept', { offer_id: offers.get(delivery) });
    expect(answer).toMatchObject({ ok: true });
    const due = movesMs > 0 ? [early, late] : [late];
    await until(async () => {
      const states = await Promise.all(due.map((id) => statusOf(other, id)));
      return states.every((state) => state !== 'scheduled');
    });
    expect(workedMs()).toBeLessThan(LIMIT_MS);
    // A process looks at the shared time each second, so two of them differ by at most a second and the time of an answer.
    await until(async () => Math.abs((await nowOf(one)) - (await nowOf(other))) < 1000);
    expect(await nowOf(one)).toBeGreaterThanOrEqual(before);
    socket.close();
    for (const id of [delivery, early, late]) await cancel(one, id);
  });
}
