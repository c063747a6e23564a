import { expect, test } from 'vitest';
import { until } from '../../until.ts';
import { advance, bear, openSite, tokensOf } from '../house.ts';

const site = await openSite('socket-gone');
const tokens = tokensOf(site);

/** A gate that delays the replay of a joining client. */
const gate = { asked: 0, go: (): void => undefined };
const process = await site.start(({ deliveries }) => ({
  deliveries: {
    ...deliveries,
    listOpenSince: async (...asked) => {
      const found = await deliveries.listOpenSince(...asked);
      gate.asked += 1;
      await new Promise<void>((resolve) => (gate.go = resolve));
      return found;
    },
  },
}));

test('[T28] a connection that closes during a replay leaves nothing behind', async () => {
  const delivery = await bear(site);
  const client = site.join(process, '/vendor', { token: tokens.vendor(delivery) });
  await until(() => gate.asked === 1);
  client.socket.disconnect();
  await until(() => process.realtime.stats().sockets['/vendor'] === 0);
  gate.go();
  const next = site.join(process, '/vendor', { token: tokens.vendor(delivery) });
  await until(() => gate.asked === 2);
  gate.go();
  await until(() => next.named('snapshot').length > 0);
  // The connected client waits until the stream has passed the replay.
  expect(process.realtime.stats().catchingUp).toBe(1);
  expect(process.io.of('/vendor').adapter.sids.size).toBe(1);
});

test('[T4] a snapshot that is older than the last event is followed by another one', async () => {
  let hold: (() => void)[] | null = null;
  const slow = await site.start(({ deliveries }) => ({
    deliveries: {
      ...deliveries,
      find: async (id) => {
        const found = await deliveries.find(id);
        if (hold !== null) await new Promise<void>((resolve) => hold?.push(resolve));
        return found;
      },
    },
  }));
  const delivery = await bear(site);
  const page = await site.join(slow, '/track', { token: tokens.recipient(delivery) }).ready();
  await until(() => page.shown(delivery.id) === 1);
  const held: (() => void)[] = [];
  hold = held;
  const second = await advance(site, delivery);
  await until(() => held.length === 1);
  const third = await advance(site, second);
  hold = null;
  for (const go of held) go();
  await until(() => page.shown(delivery.id) === third.sequence);
  expect(page.sequences(delivery.id)).toEqual([2, 3]);
});
