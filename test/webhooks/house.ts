import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeEach } from 'vitest';
import type { DomainEvent } from '../../src/domain/deliveries/events.ts';
import { newId, type VendorId } from '../../src/domain/ids.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { createWebhookStore } from '../../src/models/webhooks/webhook-store.ts';
import type { Ordering, Registration } from '../../src/ports/webhooks.ts';
import { registerWebhook } from '../../src/webhooks/register-webhook.ts';
import { keptLog, keptMetrics } from '../kept-ports.ts';
import { patient } from '../clock.ts';
import { CLOCK, openHouse, SETTINGS } from '../engines/mongo-house.ts';
import { ATTEMPTS } from '../../src/models/webhooks/webhook-shapes.ts';

export type Received = { readonly path: string; readonly event: DomainEvent };
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const KEY = Buffer.alloc(32, 7);
const RULES = { allowPrivate: true, resolve: async () => [], resolveNew: async () => [] };

export const answering =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status).end();

/** The webhooks of a test file: a store on a real database, a receiver, and a clock that stands until it is moved. */
export async function openWebhooks(name: string) {
  const house = await openHouse(name);
  const state = { now: CLOCK.now(), received: [] as Received[], answer: answering(200) };
  const clock = { ...patient(CLOCK), now: () => state.now };
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      state.received.push({ path: request.url ?? '', event: JSON.parse(body) as DomainEvent });
      state.answer(response, request);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  beforeEach(async () => {
    Object.assign(state, { now: CLOCK.now(), received: [], answer: answering(200) });
    for (const each of ['registrations', 'attempts', 'events', 'claims'] as const) {
      await house.mongo.db.collection(each).deleteMany({});
    }
  });
  const needs = (mongo: Mongo = house.mongo) => {
    const store = createWebhookStore(mongo, KEY, clock, SETTINGS, house.audit);
    return { clock, settings: SETTINGS, webhooks: store, log: keptLog(), metrics: keptMetrics(), receivers: RULES };
  };
  const address = receiver.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const register = async (
    vendorId: VendorId = newId('ven'),
    path = '/',
    ordering: Ordering = 'best_effort',
  ): Promise<Registration> => {
    const asked = { url: `${url}${path}`, events: ['*'], description: null, ordering };
    return (await registerWebhook(needs(), asked, { vendorId, liveMode: false })).registration;
  };
  return { house, state, needs, register, attempts: house.mongo.collection(ATTEMPTS), rules: RULES };
}
