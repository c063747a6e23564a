import { expect, test } from 'vitest';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { newId } from '../../../src/domain/ids.ts';
import { courierRoom } from '../../../src/realtime/relay/rooms.ts';
import { socketsIn } from '../../../src/realtime/sockets.ts';
import { CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import type { Client } from '../client.ts';
import { openSite, storeCourier, tokensOf, type Process } from '../house.ts';

const site = await openSite('one-connection');
const tokens = tokensOf(site);
const [a, b] = [await site.start(), await site.start()];

/** The connections that the other process knows of. */
const known = new Set<string>();
for (const { io } of [a, b]) io.of('/courier').on('courier.joined', ({ socketId }) => void known.add(socketId));

function phoneOf(token: string, process: Process): Promise<Client> {
  return site.join(process, '/courier', { token }).ready();
}

function isOpen({ socket }: Client): boolean {
  return socket.connected;
}

test('[T11] a newer connection closes the older one on any process', async () => {
  const courier = await storeCourier(site);
  const token = tokens.courier(courier);
  let older = await phoneOf(token, a);
  for (let round = 0; round < 6; round += 1) {
    await until(() => known.has(older.socket.id ?? ''));
    site.clock.shift(1_000);
    const newer = await phoneOf(token, round % 3 === 0 ? a : b);
    await until(() => !isOpen(older));
    expect(older.closedBy).toBe('transport close');
    expect(isOpen(newer)).toBe(true);
    older = newer;
  }
});

test('[T11] if two connections are made at the same moment, exactly one stays', async () => {
  // The same moment it is only while the clock stands: the processes hear of each other when the machine lets them.
  site.clock.stand();
  for (let round = 0; round < 20; round += 1) {
    const courier = await storeCourier(site);
    const token = tokens.courier(courier);
    const first = site.join(a, '/courier', { token });
    // In every other round the first is known everywhere before the second comes.
    if (round % 2 === 0) await until(() => known.has(first.socket.id ?? ''));
    const phones = [first, site.join(b, '/courier', { token })];
    const settled = (): boolean => phones.every((phone) => isOpen(phone) || phone.closedBy !== null);
    await until(() => settled() && phones.filter(isOpen).length < 2);
    const inRoom = [a, b].flatMap(({ io }) => socketsIn(io.of('/courier'), courierRoom(courier.id)));
    expect(inRoom).toHaveLength(1);
  }
});

/** Two logins of a courier; the second is the later one. */
function twoLogins(courier: Courier): [earlier: string, later: string] {
  const [one, other] = [newId('ses'), newId('ses')];
  const [earlier, later] = one < other ? [one, other] : [other, one];
  return [tokens.courier(courier, { sessionId: earlier }), tokens.courier(courier, { sessionId: later })];
}

test.each([
  ['one process', a, a],
  ['two processes', a, b],
])(
  '[T66] of two phones on %s the one of the later login stays, whichever came last, and the other is told to stay away',
  async (_where, one, other) => {
    for (const comesLast of ['earlier', 'later'] as const) {
      const courier = await storeCourier(site);
      const [earlier, later] = twoLogins(courier);
      const first = await phoneOf(comesLast === 'later' ? earlier : later, one);
      await until(() => known.has(first.socket.id ?? ''));
      site.clock.shift(1_000);
      const second = site.join(other, '/courier', { token: comesLast === 'later' ? later : earlier });
      const [stays, leaves] = comesLast === 'later' ? [second, first] : [first, second];
      await until(() => leaves.closedBy !== null);
      // After this reason, clients of Socket.IO do not connect again by themselves.
      expect(leaves.closedBy).toBe('io server disconnect');
      expect(
        await stays.ask('ping', { fixes: [[1, site.clock.now(), CENTER.lat, CENTER.lng, 8, 5, 90]] }),
      ).toMatchObject({ ok: true, accepted: 1 });
      const inRoom = [a, b].flatMap(({ io }) => socketsIn(io.of('/courier'), courierRoom(courier.id)));
      expect(inRoom.map(({ id }) => id)).toEqual([stays.socket.id]);
    }
  },
);
