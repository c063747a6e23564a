import express from 'express';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { endpoint, type RouteRow } from '../../src/http/endpoint.ts';
import { answerErrors } from '../../src/http/error-handler.ts';
import { mount } from '../../src/http/mount.ts';
import { POLICY } from '../../src/http/policy.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { addDelivery, addStaff, addVendor, call, openHouse } from './house.ts';

const house = await openHouse('http_tenants');
const [vendor, other] = [await addVendor(house), await addVendor(house)];
const staff = await addStaff(house, 'support');
const about = { tag: 'Deliveries', summary: 'Forget the tenant', description: 'Forgets the tenant.' } as const;

/** A list and a read whose handlers forget to ask whose deliveries they may show. */
const FORGETFUL: readonly RouteRow[] = [
  endpoint({
    ...about,
    route: 'GET /deliveries',
    name: 'forgetfulList',
    status: 200,
    run: async (ctx) => ({ found: (await ctx.deliveries.list({}, { limit: 20, after: null })).items.length }),
  }),
  endpoint({
    ...about,
    route: 'GET /deliveries/{id}',
    name: 'forgetfulRead',
    id: 'delivery',
    status: 200,
    run: async (ctx, { id }) => ({ id: (await ctx.deliveries.get(id)).id }),
  }),
];

/** A server with these handlers in place of the true ones. */
async function serve(): Promise<{ url: string }> {
  const app = express();
  const changed = FORGETFUL.map(({ route }) => route);
  mount(app, house.ctx, [...ROUTES.filter(({ route }) => !changed.includes(route)), ...FORGETFUL], POLICY);
  app.use(answerErrors(house.ctx));
  const server = app.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => void server.once('listening', () => resolve()));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('[H314] if a handler forgets the tenant, a vendor sees nothing of others and the log names the fault', async () => {
  const [mine, theirs] = [await addDelivery(house, vendor.key), await addDelivery(house, other.key)];
  const forgetful = await serve();
  const read = (id: string, token: string) => call(forgetful, `GET /deliveries/${id}`, { token });
  expect((await read(mine, vendor.key)).body).toEqual({ id: mine });
  const foreign = await read(theirs, vendor.key);
  expect([foreign.status, foreign.body['code']]).toEqual([404, 'delivery_not_found']);
  expect((await call(forgetful, 'GET /deliveries', { token: vendor.key })).status).toBe(500);
  const err: unknown = expect.objectContaining({
    message: 'a query on deliveries in the work of a tenant must name vendorId and liveMode, or an object',
  });
  expect(house.lines.map(({ fields }) => fields)).toContainEqual(expect.objectContaining({ err }));
  // Staff work across tenants.
  expect((await read(theirs, staff)).body).toEqual({ id: theirs });
  expect((await call(forgetful, 'GET /deliveries', { token: staff })).body).toEqual({ found: 2 });
});
