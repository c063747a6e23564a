import { expect, onTestFinished, test, vi } from 'vitest';
import { aVendorFeed } from './vendor-service.ts';
import { until } from '../until.ts';

const EARLIER = '2026-03-01T07:00:00.000Z';
const LATER = '2026-03-01T09:00:00.000Z';

type Fed = Awaited<ReturnType<typeof aVendorFeed>>;

/** The events of a delivery that the feed has reported. */
function told({ seen }: Fed, id: string): number[] {
  return seen.events.filter(({ delivery_id: of }) => of === id).map(({ sequence }) => sequence);
}

async function comeBack({ service, seen }: Fed, last: number): Promise<void> {
  const { length } = service.joined();
  await until(() => seen.snapshots.length === last);
  service.cut();
  await until(() => service.joined().length > length && seen.states.at(-1) === 'live');
}

test('[H356] events of a delivery that began without a connection are reported from the first one on', async () => {
  const fed = await aVendorFeed();
  const { service } = fed;
  service.show('del_known', 4);
  await comeBack(fed, 1);
  service.note('del_shown', 1, 'delivery.created');
  service.note('del_shown', 2, 'delivery.searching');
  service.show('del_shown', 2, { created_at: LATER });
  await until(() => told(fed, 'del_shown').length === 2, 5000);
  service.tell('del_shown', 3, 'courier.assigned', { created_at: LATER });
  // The second one was not shown, and its next event arrives live.
  service.note('del_quiet', 1, 'delivery.created');
  service.tell('del_quiet', 2, 'delivery.updated', { created_at: LATER });
  service.tell('del_quiet', 3, 'canceled', { created_at: LATER });
  await until(() => told(fed, 'del_quiet').length === 3, 5000);
  expect([told(fed, 'del_shown'), told(fed, 'del_quiet'), told(fed, 'del_known')]).toEqual([[1, 2, 3], [1, 2, 3], []]);
});

test('[H356] old deliveries that a feed has not seen are not replayed', async () => {
  const fed = await aVendorFeed();
  const { service, feed } = fed;
  service.tell('del_live', 7, 'delivery.updated', { created_at: LATER });
  service.show('del_known', 4);
  await comeBack(fed, 1);
  service.show('del_old', 5, { created_at: EARLIER });
  service.tell('del_old', 6, 'delivery.updated', { created_at: EARLIER });
  service.tell('del_older', 8, 'delivery.updated', { created_at: EARLIER });
  await until(() => told(fed, 'del_older').length > 0);
  expect([told(fed, 'del_live'), told(fed, 'del_old'), told(fed, 'del_older')]).toEqual([[7], [6], [8]]);
  expect(service.asked).toEqual([]);
  expect(feed.lastSeq()).toEqual({ del_live: 7, del_known: 4, del_old: 6, del_older: 8 });
});

test('[H356] a feed that continues reports deliveries that began since its earlier run, and no older ones', async () => {
  const fed = await aVendorFeed({ lastSeq: { del_known: 4 } });
  const { service } = fed;
  service.note('del_new', 1, 'delivery.created');
  service.note('del_new', 2, 'delivery.searching');
  service.show('del_known', 4, { updated_at: '2026-03-01T10:00:00.000Z' } as object);
  service.show('del_old', 5, { created_at: EARLIER });
  service.show('del_new', 2, { created_at: LATER });
  await until(() => told(fed, 'del_new').length === 2, 5000);
  expect([told(fed, 'del_new'), told(fed, 'del_old')]).toEqual([[1, 2], []]);
  expect(service.asked).toEqual([{ delivery_id: 'del_new', after: 0 }]);
});

test('[H356] a delivery that begins after a feed without any is reported whole', async () => {
  const fed = await aVendorFeed();
  const { service } = fed;
  await comeBack(fed, 0);
  const createdAt = new Date().toISOString();
  service.note('del_new', 1, 'delivery.created');
  service.show('del_new', 1, { created_at: createdAt });
  await until(() => told(fed, 'del_new').length === 1, 5000);
  expect(told(fed, 'del_new')).toEqual([1]);
});

test('[H476] a delivery that only a beacon names is reported, unless it is older than the feed', async () => {
  const fed = await aVendorFeed();
  const { service } = fed;
  for (const id of ['del_older', 'del_missed']) {
    service.note(id, 1, 'delivery.created');
    service.note(id, 2, 'delivery.searching');
  }
  service.show('del_known', 1);
  service.note('del_known', 1, 'delivery.created');
  service.note('del_known', 2, 'delivery.searching');
  service.beacon({ del_older: 2, del_known: 2 });
  await until(() => told(fed, 'del_known').length === 1);
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 65_000);
  onTestFinished(() => later.mockRestore());
  // A live event overtakes the answer, which is a refusal. The next one asks again.
  service.refuses = true;
  service.beforeAnswer = () => service.tell('del_missed', 3, 'courier.assigned');
  service.beacon({ del_missed: 2 });
  await until(() => service.asked.length === 2);
  [service.refuses, service.beforeAnswer] = [false, () => undefined];
  await comeBack(fed, 1);
  service.tell('del_missed', 4, 'courier.arrived_pickup');
  await until(() => told(fed, 'del_missed').length === 4);
  expect(told(fed, 'del_missed')).toEqual([1, 2, 3, 4]);
  expect(service.asked.map(({ delivery_id: id }) => id)).toEqual(['del_known', 'del_missed', 'del_missed']);
});

test('[H476] with as many marks as it keeps, a feed asks for nothing that it has no mark of', async () => {
  const lastSeq = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`del_${at}`, 1]));
  const fed = await aVendorFeed({ lastSeq });
  const { service } = fed;
  service.note('del_4999', 1, 'delivery.created');
  service.note('del_4999', 2, 'delivery.searching');
  service.beacon({ del_forgotten: 2, del_4999: 2 });
  await until(() => told(fed, 'del_4999').length === 1);
  expect(service.asked.map(({ delivery_id: id }) => id)).toEqual(['del_4999']);
});
