// Stored objects, so that requests with their ids succeed.
import { makeMoney } from './money.ts';
import type { People, Role } from './people.ts';

type Made = { readonly id: string };
type List = { readonly data: readonly Made[] };

/** The ids of stored objects by prefix, and values of other fields by name. */
export type World = {
  /** Ids of objects that requests may change or end. */
  readonly used: Readonly<Record<string, readonly string[]>>;
  /** Ids that only requests to read get, so that the objects stay as they are. */
  readonly kept: Readonly<Record<string, readonly string[]>>;
  readonly tokens: readonly string[];
};

const USED = 60;
const KEPT = 4;
const FEW = 6;
/** A receiver on this machine that refuses connections. */
export const DEAD_RECEIVER = 'http://127.0.0.1:9/events';
/** The distance between two drop-offs, degrees. */
const STEP = 0.0005;

/** Makes objects of every kind that a path can name. */
export async function makeWorld(people: People, role: Role): Promise<World> {
  const { api, facts, staff, courierId } = people;
  const vendor = facts.vendor.api_key;
  const { id: vendorId, location_id: locationId } = facts.vendor;
  const create = (index: number) => make(people, vendor, '/express/deliveries', deliveryBody(people, index));
  const deliveries = await some(USED, create);
  const carried = deliveries.slice(0, FEW);
  for (const id of carried) {
    await api.call('POST', '/dispatch/assign', { token: staff, body: { delivery_id: id, courier_id: courierId } });
  }
  const kept = await some(KEPT, (index) => create(USED + index));
  const webhooks = await some(FEW, () => make(people, vendor, '/webhooks', { url: DEAD_RECEIVER, events: ['*'] }));
  const paid = await create(USED + KEPT);
  await api.call('POST', '/dispatch/assign', { token: staff, body: { delivery_id: paid, courier_id: courierId } });
  const money = await makeMoney(people, paid);
  const events = await api.call<List>('GET', '/events?limit=10', { token: vendor });
  const link = await api.call<{ url: string }>('GET', `/express/deliveries/${kept[0]}/tracking-link`, {
    token: vendor,
  });
  return {
    // A courier may only change the deliveries that they carry.
    used: {
      ...(await makeSpares(people)),
      ...money,
      // Only one was charged. It is named several times, so that refunds succeed.
      del: role === 'courier' ? carried : [...deliveries, ...Array.from({ length: FEW }, () => paid)],
      whk: webhooks,
    },
    kept: {
      ...money,
      del: [...kept, ...carried],
      cou: [courierId],
      loc: [locationId],
      ven: [vendorId],
      evt: events.data.map(({ id }) => id),
      whk: webhooks.slice(0, 1),
    },
    tokens: [link.url.slice(link.url.lastIndexOf('/') + 1)],
  };
}

/** Makes the objects that only staff can make, for requests that change or end them. */
async function makeSpares(people: People): Promise<Record<string, readonly string[]>> {
  const { staff, facts } = people;
  const owner = { vendor_id: facts.vendor.id };
  const made = (path: string, bodyOf: (index: number) => object) =>
    some(FEW, (index) => make(people, staff, path, bodyOf(index)));
  return {
    cou: await made('/couriers/onboard', (index) => ({
      name: 'Bo Lind',
      phone: `+49151100000${10 + index}`,
      vehicle_type: 'bicycle',
    })),
    loc: await made('/vendor/locations', () => ({ ...locationBody(people), ...owner })),
    key: await made('/vendor/api-keys', () => ({ ...owner, name: 'Spare' })),
    stf: await made('/staff', (index) => ({ email: `spare-${index}@example.com`, roles: ['support'] })),
    ven: await made('/vendors', () => ({ name: 'Corner Bakery' })),
    prl: await made('/vendor/pricing-rules', (index) => ({
      ...owner,
      terms: { type: 'promotion', code: `FUZZ${index}`, rate_bp: 1000, paid_by: 'platform' },
    })),
  };
}

/** Makes one object and returns its id. */
async function make({ api }: People, token: string, path: string, body: object): Promise<string> {
  return (await api.call<Made>('POST', path, { token, body })).id;
}

function deliveryBody({ facts }: People, index: number): object {
  const { lat, lng } = facts.center;
  const contact = { name: 'Robin Berg', phone: '+4915112345678' };
  const place = { lat: lat + STEP * (1 + (index % 10)), lng: lng + STEP };
  return { pickup: { location_id: facts.vendor.location_id }, drop_off: [{ coordinates: place, contact }] };
}

function locationBody({ facts }: People): object {
  return {
    name: 'Market hall',
    coordinates: facts.center,
    address: 'Market Square 1',
    contact: { name: 'Grace Hopper', phone: '+4930901820' },
  };
}

async function some(count: number, makeOne: (index: number) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await makeOne(index));
  return ids;
}
