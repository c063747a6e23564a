import { expect, test } from 'vitest';
import { parseOptions } from '../../../load-tests/bench-store.ts';
import { judge, lastLine, tableOf, type Compared } from '../../../load-tests/store/report.ts';
import { seedDeliveries } from '../../../load-tests/store/seed.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { State } from '../../../src/domain/deliveries/states.ts';
import { CENTER } from '../../builders.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import { EVENTS_LOG } from '../../../src/models/deliveries/events/event-rows.ts';

const house = await openHouse('store-bench');

test('[S61] a filled database contains deliveries with three numbered events each, which are found like all others', async () => {
  const facts = {
    center: CENTER,
    vendor: { id: newId('ven'), api_key: '', location_id: newId('loc') },
    staff: { email: '', password: '' },
  };
  const { byState } = await seedDeliveries({ mongo: house.mongo, db: house.mongo.db }, facts, 700, () => undefined);
  expect(await house.mongo.collection(DELIVERIES).estimatedDocumentCount()).toBe(700);
  expect(await house.mongo.collection(EVENTS_LOG).estimatedDocumentCount()).toBe(2100);
  const states: readonly State[] = ['searching', 'in_transit', 'scheduled', 'delivered', 'canceled', 'failed'];
  for (const state of states) {
    const [one] = byState.get(state) ?? [];
    if (one === undefined) throw new Error(`nothing is ${state}`);
    const delivery = await house.deliveries.get(one.id as `del_${string}`);
    expect(delivery).toMatchObject({ state, sequence: 3, version: 3 });
    const events = await house.eventLog.list(delivery.id, 0, 10);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(events.at(-1)?.data.to).toBe(state);
    const found = await house.deliveries.list({ search: `order-${one.count}` }, { limit: 5, after: null });
    expect(found.items.map(({ id }) => id)).toContain(delivery.id);
  }
  const now = Date.now();
  const due = (await house.deliveries.listDue('search', 1000)).filter(({ dueAt }) => (dueAt ?? 0) > now);
  expect(due).toEqual([]);
});

const at = (p50: number, p95: number) => ({ p50, p95 });
const get = (few: ReturnType<typeof at>, many: ReturnType<typeof at>): Compared => ({
  name: 'GET /x',
  small: [few, few, at(999, 999)],
  large: [many, at(0, 0), many],
});
const figures = { deliveries: 5, docs: new Map([['GET /x', 120]]), searchesLateMs: [2000] };

test('[S61] exactly the limits that were missed are named', () => {
  const kept = judge({ ...figures, gets: [get(at(2, 4), at(3, 24))] });
  expect(kept.problems).toEqual([]);
  expect(lastLine(kept)).toMatch(/^ok 1 GETs with 5 stored/);
  expect(tableOf(kept)).toHaveLength(3);
  const missed = judge({
    deliveries: 5,
    gets: [get(at(2, 4), at(3.1, 25))],
    docs: new Map([['GET /x', 121]]),
    searchesLateMs: [2001],
  });
  expect(missed.problems).toHaveLength(4);
  expect(lastLine(missed)).toMatch(/^failed: /);
});

test('[S61] a wrong option of bench:store is refused with a sentence', () => {
  expect(parseOptions([])).toMatchObject({ deliveries: 1_000_000, few: 1000, rounds: 5, rate: 50 });
  expect(() => parseOptions(['--deliveries', '7'])).toThrow('--deliveries must be a whole number from 500');
  expect(() => parseOptions(['--speed', '7'])).toThrow('--speed');
});
