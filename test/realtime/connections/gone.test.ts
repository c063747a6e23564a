import { expect, test } from 'vitest';
import { textFrame } from '../../../load-tests/clients/swarm.ts';
import { viewCellOf } from '../../../src/domain/geo/geo.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import { advance, bear, openSite, tokensOf, type Process } from '../house.ts';
import { openRaw } from '../raw-client.ts';

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

/** The sockets whose handshake Socket.IO still waits for. */
function unfinished({ io }: Process, namespace: string): number {
  const { _preConnectSockets: sockets } = io.of(namespace) as unknown as { _preConnectSockets: Map<string, unknown> };
  return sockets.size;
}

test('[T28] a connection that closes during its handshake, or whose handshake fails, leaves nothing behind', async () => {
  const asked: (() => void)[] = [];
  let isAway = false;
  const slow = await site.start(({ links }) => ({
    links: {
      ...links,
      open: async (...given) => {
        if (isAway) throw new Refusal('busy');
        await new Promise<void>((resolve) => asked.push(resolve));
        return links.open(...given);
      },
    },
  }));
  const token = tokens.recipient(await bear(site));
  const client = site.join(slow, '/track', { token });
  await until(() => asked.length === 1);
  expect(unfinished(slow, '/track')).toBe(1);
  client.socket.disconnect();
  await until(() => slow.io.engine.clientsCount === 0);
  asked[0]?.();
  await until(() => unfinished(slow, '/track') === 0);
  isAway = true;
  const other = site.join(slow, '/track', { token });
  await until(() => !other.socket.active || other.socket.disconnected);
  await until(() => slow.io.engine.clientsCount === 0);
  await until(() => unfinished(slow, '/track') === 0);
  expect(other.socket.connected).toBe(false);
});

test('[T28] a message that arrives together with the end of its connection is not handled', async () => {
  const plain = await site.start();
  const raw = await openRaw(plain);
  expect(await raw.join('/admin', { token: tokens.staff() })).toBe(true);
  await until(() => plain.realtime.stats().entering === 0);
  const watch = JSON.stringify(['watch', { cells: [viewCellOf(CENTER)] }]);
  raw.send(Buffer.concat([textFrame('41/admin,'), textFrame(`42/admin,${watch}`)]));
  await until(() => plain.realtime.stats().sockets['/admin'] === 0);
  // The server answers the next handshake after it has handled the message.
  expect(await raw.join('/admin', { token: tokens.staff() })).toBe(true);
  expect(plain.realtime.stats().positions.readers).toBe(0);
});

test('[T28] a connection that the answer to `watch` closes does not watch', async () => {
  const plain = await site.start();
  const admin = await site.join(plain, '/admin', { token: tokens.staff() }).ready();
  const { sockets } = site.settings;
  const most = sockets.mostUnreadBytes;
  sockets.mostUnreadBytes = -1;
  // Otherwise the answer would take the short way past the queue whose bytes are counted.
  for (const { conn } of plain.io.of('/admin').sockets.values()) conn.transport.writable = false;
  admin.socket.emit('watch', { cells: [viewCellOf(CENTER)] }, () => undefined);
  await until(() => plain.realtime.stats().sockets['/admin'] === 0);
  sockets.mostUnreadBytes = most;
  expect(plain.realtime.stats().positions.readers).toBe(0);
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
