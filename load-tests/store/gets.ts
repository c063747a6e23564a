// Every GET of stored objects. Each request asks for another delivery.
import type { State } from '../../src/domain/deliveries/states.ts';
import type { Random } from '../random.ts';
import type { DemoFacts } from '../servers/fleet.ts';
import { phoneOf } from './histories.ts';
import type { Stored, StoredOne } from './seed.ts';

/** The material of a request. */
export type Asked = {
  readonly random: Random;
  readonly stored: Stored;
  readonly facts: DemoFacts;
  readonly linkToken: (linkId: string) => string;
};

export type Get = {
  readonly name: string;
  readonly by: 'vendor' | 'staff' | 'anyone';
  /** Whether it is a list or search, whose documents read are counted. */
  readonly isList?: boolean;
  readonly pathOf: (asked: Asked) => string;
};

export const LIMIT = 20;
const ENDED: readonly State[] = ['delivered', 'canceled', 'failed'];

function one({ random, stored }: Asked, states: readonly State[] = ENDED): StoredOne {
  const some = states.flatMap((state) => stored.byState.get(state) ?? []);
  const found = some[Math.floor(random.next() * some.length)];
  if (found === undefined) throw new Error(`there is no stored delivery that is ${states.join(' or ')}`);
  return found;
}

const about = (name: string, path: string, states?: readonly State[]): Get => ({
  name,
  by: 'vendor',
  pathOf: (asked) => path.replace('{id}', one(asked, states).id),
});

const list = (
  by: 'vendor' | 'staff',
  path: string,
  query: string,
  queryOf = (_asked: Asked): string => query,
): Get => ({
  name: `GET ${path}${query === '' ? '' : `?${query}`}${by === 'staff' ? ' (staff)' : ''}`,
  by,
  isList: true,
  pathOf: (asked) => `${path}?limit=${LIMIT}${query === '' ? '' : `&${queryOf(asked)}`}`,
});

/** A day on which deliveries ended. */
function dayOf(asked: Asked): string {
  const from = new Date(one(asked).createdAt).toISOString().slice(0, 10);
  const to = new Date(Date.parse(from) + 86_400_000).toISOString().slice(0, 10);
  return `date_range=${from}/${to}`;
}

const search = (textOf: (found: StoredOne) => string) => (asked: Asked) =>
  `q=${encodeURIComponent(textOf(one(asked)))}`;
const bySearch = (by: 'vendor' | 'staff'): Get[] => [
  list(
    by,
    '/deliveries',
    'q={external_id}',
    search(({ count }) => `order-${count}`),
  ),
  list(
    by,
    '/deliveries',
    'q={4 digits}',
    search(({ count }) => phoneOf(count).slice(-4)),
  ),
  list(
    by,
    '/deliveries',
    'q={6 digits}',
    search(({ count }) => phoneOf(count).slice(-6)),
  ),
  list(
    by,
    '/deliveries',
    'q={phone}',
    search(({ count }) => phoneOf(count)),
  ),
  list(
    by,
    '/deliveries',
    'q={id}',
    search(({ id }) => id),
  ),
  list(
    by,
    '/deliveries',
    'q={4 digits}&status=failed',
    (asked) => `${search(({ count }) => phoneOf(count).slice(-4))(asked)}&status=failed`,
  ),
];

/** The table of requests. */
export const GETS: readonly Get[] = [
  about('GET /deliveries/{id}', '/deliveries/{id}'),
  about('GET /deliveries/{id}/status', '/deliveries/{id}/status'),
  about('GET /deliveries/{id}/history', '/deliveries/{id}/history'),
  about('GET /deliveries/{id}/tracking-url', '/deliveries/{id}/tracking-url', ['in_transit']),
  about('GET /deliveries/{id}/live-location', '/deliveries/{id}/live-location', ['in_transit']),
  about('GET /express/deliveries/{id}', '/express/deliveries/{id}'),
  about('GET /express/deliveries/{id}/tracking-link', '/express/deliveries/{id}/tracking-link', ['in_transit']),
  about('GET /express/deliveries/{id}/tracking', '/express/deliveries/{id}/tracking', ['in_transit']),
  list('vendor', '/deliveries', ''),
  list('vendor', '/deliveries', 'status=delivered'),
  list('vendor', '/deliveries', 'status=failed'),
  list('vendor', '/deliveries', 'status=scheduled,searching'),
  list('vendor', '/deliveries', 'date_range={day}', dayOf),
  list('vendor', '/deliveries', 'date_range={day}&status=canceled', (asked) => `${dayOf(asked)}&status=canceled`),
  ...bySearch('vendor'),
  list('vendor', '/express/deliveries', ''),
  list('vendor', '/express/deliveries', 'status=canceled'),
  list('vendor', '/express/deliveries', 'date_range={day}', dayOf),
  list('vendor', '/webhooks', ''),
  list('staff', '/deliveries', ''),
  list('staff', '/deliveries', 'live_mode=true'),
  list('staff', '/deliveries', 'live_mode=false'),
  list('staff', '/deliveries', 'status=delivered'),
  list('staff', '/deliveries', 'status=failed'),
  list('staff', '/deliveries', 'vendor_id={id}', ({ facts }) => `vendor_id=${facts.vendor.id}`),
  list(
    'staff',
    '/deliveries',
    'vendor_id={id}&status=failed',
    ({ facts }) => `vendor_id=${facts.vendor.id}&status=failed`,
  ),
  list('staff', '/deliveries', 'date_range={day}', dayOf),
  ...bySearch('staff'),
  list('staff', '/dispatch/queue', ''),
  list('staff', '/dispatch/alarms', ''),
  {
    name: 'GET /dispatch/candidates',
    by: 'staff',
    pathOf: (asked) => `/dispatch/candidates?delivery_id=${one(asked, ['searching']).id}`,
  },
  { name: 'GET /dispatch/decisions/{id}', by: 'staff', pathOf: (asked) => `/dispatch/decisions/${one(asked).id}` },
  {
    name: 'GET /dispatch/cells',
    by: 'staff',
    pathOf: ({ facts: { center } }) =>
      `/dispatch/cells?bounds=${[center.lng - 0.1, center.lat - 0.1, center.lng + 0.1, center.lat + 0.1].join()}`,
  },
  { name: 'GET /couriers/{id}', by: 'staff', pathOf: ({ stored }) => `/couriers/${stored.courierId}` },
  {
    name: 'GET /t/{token}/state',
    by: 'anyone',
    pathOf: (asked) => `/t/${asked.linkToken(one(asked, ['in_transit']).linkId)}/state`,
  },
  {
    name: 'GET /t/{token}',
    by: 'anyone',
    pathOf: (asked) => `/t/${asked.linkToken(one(asked, ['in_transit']).linkId)}`,
  },
];
