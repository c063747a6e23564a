import { beforeAll, describe, expect, test } from 'vitest';
import { STAFF_ROLES, type Caller } from '../src/domain/access.ts';
import { newId } from '../src/domain/ids.ts';
import type { Endpoint } from '../src/http/endpoint.ts';
import { mount } from '../src/http/mount.ts';
import { POLICY, type Allowed } from '../src/http/policy.ts';
import { ROUTES } from '../src/http/routes.ts';
import express from 'express';
import { pathWith } from './http/routes.ts';
import { addCourier, addDelivery, addStaff, addVendor, call, openHouse, type House } from './http/house.ts';

const house: House = await openHouse('policy');
const endpoints = ROUTES.filter((row): row is Endpoint => row.kind === 'endpoint');

type Role = {
  readonly name: string;
  readonly type: Caller['type'] | null;
  readonly role?: (typeof STAFF_ROLES)[number];
};

const ROLES: readonly Role[] = [
  { name: 'nobody', type: null },
  { name: 'a vendor', type: 'vendor' },
  { name: 'the courier', type: 'courier' },
  { name: 'a service', type: 'internal' },
  ...STAFF_ROLES.map((role) => ({ name: `staff (${role})`, type: 'staff' as const, role })),
];

const FINANCE: Role = { name: 'finance', type: 'staff', role: 'finance' };

const tokens = new Map<string, string>();
const ids = {
  delivery: '',
  courier: '',
  key: newId('key'),
  session: newId('ses'),
  staff: newId('stf'),
  webhook: newId('whk'),
  event: newId('evt'),
  link: '',
  order: 'order-1',
  offer: newId('off'),
  stop: 1,
  device: newId('dev'),
  document: newId('doc'),
  ownDocument: newId('doc'),
  location: newId('loc') as string,
  zone: newId('zon') as string,
  vendor: '',
  pricingRule: newId('prl') as string,
  payout: newId('pay'),
  suspense: newId('sus'),
  topUpRefund: newId('tur'),
  adjustment: newId('adj'),
  topUp: newId('top') as string,
  transaction: newId('txn') as string,
  invoice: newId('inv') as string,
  settlement: newId('stl') as string,
  dispute: newId('dsp'),
};
let otherVendor = '';
let otherCourier = '';

beforeAll(async () => {
  const vendor = await addVendor(house);
  const courier = await addCourier(house);
  tokens.set('a vendor', vendor.key);
  tokens.set('the courier', courier.token);
  tokens.set('a service', await house.ctx.credentials.issueInternal('chat', 600));
  for (const role of STAFF_ROLES) tokens.set(`staff (${role})`, await addStaff(house, role));
  ids.delivery = await addDelivery(house, vendor.key);
  ids.courier = courier.id;
  ids.vendor = vendor.id;
  otherVendor = (await addVendor(house)).key;
  otherCourier = (await addCourier(house)).token;
});

function isAllowed(allowed: Allowed, { type, role }: Role): boolean {
  if (allowed.anyone === true) return true;
  if (type === null || type === 'recipient') return false;
  if (type !== 'staff') return allowed[type] !== undefined;
  const roles = allowed.staff;
  return roles === 'any' || (role !== undefined && roles?.includes(role) === true);
}

/** The route with existing ids, and a body that no route accepts: an allowed request gets no further than 400. */
function ask(row: Endpoint, token: string | undefined) {
  return call(house, pathWith(row, ids), {
    token,
    ...(row.route.startsWith('GET') ? {} : { body: { no_such_field: 1 } }),
  });
}

describe('every role on every row', () => {
  test.each(endpoints.map((row) => [row.route, row] as const))(
    '[H1] %s allows exactly the callers that its row names',
    async (route, row) => {
      for (const role of ROLES) {
        const { status, text } = await ask(row, tokens.get(role.name));
        const wanted = isAllowed(POLICY[route], role) ? 'let in' : role.type === null ? 401 : 403;
        const given = [401, 403].includes(status) ? status : 'let in';
        expect([role.name, given, text]).toEqual([role.name, wanted, text]);
        expect(status).toBeLessThan(500);
      }
    },
  );
});

/** The routes for the work of finance staff. They only read everything else. */
const MONEY =
  /^\w+ \/(wallets|gateways|billing|payouts|settlement|disputes|vendor\/pricing-rules|deliveries\/{id}\/refunds)(?![-\w])/;

test('[H63] finance staff change nothing but money', () => {
  const rows: [string, Allowed][] = Object.entries(POLICY);
  const open = rows
    .filter(([route, allowed]) => !route.startsWith('GET ') && !MONEY.test(route) && isAllowed(allowed, FINANCE))
    .map(([route]) => route);
  expect(open).toEqual([
    'POST /auth/otp',
    'POST /auth/token',
    'POST /auth/logout',
    'DELETE /auth/sessions/{id}',
    'DELETE /auth/sessions',
    'POST /staff/me/password',
    'POST /t/{token}/rating',
  ]);
});

/** Bodies of routes that need one, by the end of their path. */
const NEEDED: Readonly<Record<string, object>> = { release: { reason: 'too late' }, rating: { rating: 5 } };

test("[H2] another vendor's delivery answers 404 with the same body as an absent one", async () => {
  const routes = endpoints.filter(({ route, id }) => id === 'delivery' && 'vendor' in POLICY[route]);
  for (const { route } of routes) {
    const asked = { token: otherVendor, body: NEEDED[route.split('/').at(-1) ?? ''] };
    const foreign = await call(house, route.replace('{id}', ids.delivery), asked);
    const absent = await call(house, route.replace('{id}', newId('del')), asked);
    const malformed = await call(house, route.replace('{id}', 'del_x'), asked);
    for (const answer of [foreign, absent, malformed]) {
      const { request_id: _request, instance: _instance, ...rest } = answer.body;
      expect({ route, ...rest }).toMatchObject({ route, status: 404, code: 'delivery_not_found' });
    }
  }
  expect(routes.length).toBeGreaterThan(8);
});

test('[H3] a courier reaches no other courier', async () => {
  const routes = endpoints.filter(({ route, id }) => id === 'courier' && 'courier' in POLICY[route]);
  for (const row of routes) {
    const { status, body } = await call(house, pathWith(row, ids), { token: otherCourier });
    expect([row.route, status, body['code']]).toEqual([row.route, 404, 'courier_not_found']);
  }
  expect(routes.length).toBeGreaterThan(6);
});

test('[H4] a row without a policy, a policy without a row and a duplicate row or name stop the start', () => {
  const rows = ROUTES.slice(0, 2);
  const [first, second] = rows.map(({ route }) => route);
  const start =
    (policy: Record<string, Allowed>, those = rows) =>
    () =>
      mount(express(), house.ctx, those, policy);
  const both = { [first ?? '']: {}, [second ?? '']: {} };
  expect(start(both)).not.toThrow();
  expect(start({ [first ?? '']: {} })).toThrow(`${second} has no policy`);
  expect(start({ ...both, 'GET /nowhere': {} })).toThrow('the policy of GET /nowhere has no route');
  expect(start(both, [...rows, ...rows])).toThrow('exists twice');
  const [one, other] = rows;
  if (one === undefined || other === undefined) throw new Error('there are no rows');
  expect(start(both, [one, { ...other, name: one.name }])).toThrow(`two routes have the name ${one.name}`);
});
