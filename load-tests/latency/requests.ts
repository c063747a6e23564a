// The requests whose waits are measured. Each has a name, its caller and what it sends.
import { randomUUID } from 'node:crypto';
import type { Random } from '../random.ts';
import type { Site } from '../store/site.ts';
import type { Account } from './accounts.ts';

export type Sent = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | null;
};

/** The material of the requests. The first account is the demo's vendor, which has half of the stored deliveries. */
export type Material = {
  readonly site: Site;
  readonly accounts: readonly Account[];
  readonly random: Random;
  /** Ids of stored deliveries of the demo's vendor. */
  readonly ids: readonly string[];
};

export type Kind = {
  readonly name: string;
  readonly status: number;
  /** Whether it is a create, whose p99 has a limit. */
  readonly isCreate: boolean;
  readonly make: (material: Material) => Sent;
};

/** Goods that are ready in three hours: the search of what is measured begins when the measurement is over. */
const READY_IN_MS = 3 * 3_600_000;

function any<T>(random: Random, all: readonly T[]): T {
  const one = all[Math.floor(random.next() * all.length)];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
}

function orderOf({ locationId }: Account, { random, site }: Material, isQuote: boolean): object {
  const { lat, lng } = site.facts.center;
  const coordinates = { lat: lat + (random.next() - 0.5) * 0.05, lng: lng + (random.next() - 0.5) * 0.05 };
  const window = { ready_at: new Date(Date.now() + READY_IN_MS).toISOString() };
  const contact = { name: 'Ada Lovelace', phone: '+4930901820' };
  return {
    pickup: isQuote ? { location_id: locationId } : { location_id: locationId, window },
    drop_off: [
      { coordinates, address: 'Market Square 2', instructions: 'Ring twice', ...(isQuote ? {} : { contact }) },
    ],
    metadata: { weight: 2, category: 'Food' },
  };
}

/** The body of a create for this account. */
export function createBody(account: Account, material: Material): object {
  return orderOf(account, material, false);
}

function post(path: string, account: Account, body: object, headers: Readonly<Record<string, string>> = {}): Sent {
  const all = { authorization: `Bearer ${account.key}`, 'content-type': 'application/json', ...headers };
  return { method: 'POST', path, headers: all, body };
}

function first({ accounts }: Material): Account {
  const [account] = accounts;
  if (account === undefined) throw new Error('there is no account');
  return account;
}

const CREATE = '/express/deliveries';

/** In the order of the report. The first is the floor: what any answer costs. */
export const KINDS: readonly Kind[] = [
  {
    name: 'GET /healthz',
    status: 200,
    isCreate: false,
    make: () => ({ method: 'GET', path: '/healthz', headers: {}, body: null }),
  },
  {
    name: 'GET /deliveries/{id}',
    status: 200,
    isCreate: false,
    make: (material) => ({
      method: 'GET',
      path: `/deliveries/${any(material.random, material.ids)}`,
      headers: { authorization: `Bearer ${first(material).key}` },
      body: null,
    }),
  },
  {
    name: 'POST /express/quotes',
    status: 201,
    isCreate: false,
    make: (material) => post('/express/quotes', first(material), orderOf(first(material), material, true)),
  },
  {
    name: 'POST /express/deliveries, one vendor',
    status: 201,
    isCreate: true,
    make: (material) => post(CREATE, first(material), orderOf(first(material), material, false)),
  },
  {
    name: 'POST /express/deliveries, many vendors',
    status: 201,
    isCreate: true,
    make: (material) => {
      const account = any(material.random, material.accounts);
      return post(CREATE, account, orderOf(account, material, false));
    },
  },
  {
    name: 'POST /express/deliveries with Idempotency-Key, many vendors',
    status: 201,
    isCreate: true,
    make: (material) => {
      const account = any(material.random, material.accounts);
      return post(CREATE, account, orderOf(account, material, false), { 'idempotency-key': randomUUID() });
    },
  },
];
