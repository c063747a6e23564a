import { expect, test } from 'vitest';
import { createMarks } from '../../packages/client/src/sockets/marks.ts';
import { aVendorFeed } from './vendor-service.ts';
import { until } from '../until.ts';

test('[H356] an open delivery keeps its place in the handshake, however many others have ended', async () => {
  const { feed, service, seen } = await aVendorFeed();
  service.show('del_quiet', 3);
  for (let number = 0; number < 600; number += 1) {
    service.tell(`del_${number}`, 1, 'delivery.created');
    service.tell(`del_${number}`, 2, number % 2 === 0 ? 'delivered' : 'canceled');
  }
  await until(() => seen.events.length === 1200);
  expect(Object.keys(feed.lastSeq()).length).toBe(500);
  expect(feed.lastSeq()).toMatchObject({ del_quiet: 3, del_599: 2 });
  service.cut();
  await until(() => service.joined().length > 1);
  expect(service.joined()[1]).toMatchObject({ del_quiet: 3 });
});

test('[H356] the snapshot of an ended delivery also makes room for open ones', async () => {
  const lastSeq = Object.fromEntries(['del_open', 'del_a', 'del_b'].map((id) => [id, 1]));
  const { feed, service, seen } = await aVendorFeed({ lastSeq });
  service.show('del_a', 1, { status: 'delivered' });
  service.show('del_b', 1, { status: 'failed' });
  await until(() => seen.snapshots.length === 2);
  expect(Object.keys(feed.lastSeq())).toEqual(['del_a', 'del_b', 'del_open']);
});

test('[H356] marks of ended deliveries stay as long as there is room, and are dropped first', () => {
  const marks = createMarks();
  for (let number = 0; number < 5000; number += 1) marks.raise(`del_${number}`, 7);
  marks.end('del_9');
  expect(marks.judge('del_9', 8)).toBe('next');
  marks.raise('del_new', 1);
  expect([marks.get('del_0'), marks.get('del_9')]).toEqual([7, undefined]);
});
