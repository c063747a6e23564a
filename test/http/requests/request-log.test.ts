import { expect, test } from 'vitest';
import { addCourier, addDelivery, addStaff, addVendor, call, openHouse, type LogLine } from '../house.ts';

const house = await openHouse('request_log', (settings) => ({
  ...settings,
  http: { ...settings.http, trustedProxies: '127.0.0.1' },
}));
const from = { 'x-forwarded-for': '192.0.2.7' };

/** The line of the request that this call makes. */
async function lineOf(route: string, options: Parameters<typeof call>[2] = {}): Promise<LogLine['fields']> {
  const id = `line-${house.lines.length}`;
  await call(house, route, { ...options, headers: { ...from, 'x-request-id': id, ...options.headers } });
  const line = house.lines.find(({ level, fields }) => level === 'info' && fields['request_id'] === id);
  if (line === undefined) throw new Error(`no line for ${route}`);
  return line.fields;
}

test('[H68] the log line of a request has the caller, the address and the path', async () => {
  const vendor = await addVendor(house);
  const delivery = await addDelivery(house, vendor.key);
  expect(await lineOf(`GET /deliveries/${delivery}?a=1`, { token: vendor.key })).toMatchObject({
    actor: { type: 'vendor', id: vendor.id },
    key_id: expect.stringMatching(/^key_/) as string,
    address: '192.0.2.7',
    method: 'GET',
    route: 'GET /deliveries/{id}',
    path: `/deliveries/${delivery}`,
    status: 400,
  });
  const courier = await addCourier(house);
  expect(await lineOf(`GET /couriers/${courier.id}`, { token: courier.token })).toMatchObject({
    actor: { type: 'courier', id: courier.id },
    address: '192.0.2.7',
  });
  const anonymous = await lineOf('GET /healthz');
  expect(anonymous).toMatchObject({ address: '192.0.2.7', path: '/healthz', status: 200 });
  expect(anonymous).not.toHaveProperty('actor');
});

test('[H68] a write by staff is audited with their address', async () => {
  const staff = await addStaff(house, 'dispatcher');
  await lineOf('POST /dispatch/assign', { token: staff, body: {} });
  const audited = house.lines.filter(({ level }) => level === 'audit').at(-1);
  expect(audited?.fields).toMatchObject({ actor: { type: 'staff' }, address: '192.0.2.7', path: '/dispatch/assign' });
});

test('[H68] neither a query nor a token stands in a path that is logged', async () => {
  const token = 'znfAzHPLzRUHVaJXuiUkyp';
  for (const [path, logged] of [
    [`/t/${token}`, '/t/…'],
    [`/t/${token}/state`, '/t/…/state'],
    [`/t/${token}/state?x=${token}`, '/t/…/state'],
    [`/t/${token}/more/${token}`, '/t/…/more/…'],
    [`/no/${token}?token=${token}`, '/no/…'],
    [`/${'a/'.repeat(300)}`, `/${'a/'.repeat(100)}`.slice(0, 200)],
  ] as const) {
    const fields = await lineOf(`GET ${path}`);
    expect(fields['path']).toBe(logged);
    expect(JSON.stringify(fields)).not.toContain(token);
  }
});
