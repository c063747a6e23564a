import { expect, test } from 'vitest';
import type { Connections } from '../../../src/realtime/connections/connections.ts';
import { drain, drainMs, leave } from '../../../src/realtime/connections/drain.ts';
import type { SocketServer } from '../../../src/realtime/sockets.ts';
import type { Settings } from '../../../src/settings.ts';
import { handClock } from '../../clock.ts';
import { createRandom } from '../../../load-tests/random.ts';

const ALL = 2000;
const PACE = { drainPerS: 500, drainRealMs: 10_000 };
const WITHIN_MS = 4010;
const LOOK_MS = 500;

test.each([0, 0.5, 1])(
  '[T23] clients leave at an even rate if this share of them follows the warning: %d',
  async (share) => {
    const clock = handClock();
    const random = createRandom(1);
    const startedAt = clock.now();
    const sockets = Array.from({ length: ALL }, (_, index) => ({ index, connected: true }));
    const follow = (): void => {
      for (const socket of sockets) {
        if (random.next() < share) clock.real.after(random.next() * WITHIN_MS, () => void (socket.connected = false));
      }
    };
    const warned = Promise.withResolvers<void>();
    const io = {
      of: (name: string) => ({
        local: { emit: () => name === '/courier' && (follow(), warned.resolve()) },
        sockets: new Map(name === '/courier' ? sockets.entries() : []),
      }),
    };
    let closed = 0;
    const connections = {
      close: (socket: { connected: boolean }) => {
        closed += 1;
        socket.connected = false;
      },
    };
    const [server, doors] = [io as unknown as SocketServer, connections as unknown as Connections];
    const drained = drain(server, doors, clock, PACE, 2).then(() => clock.now() - startedAt);
    await warned.promise;
    for (let atMs = LOOK_MS; atMs < WITHIN_MS; atMs += LOOK_MS) {
      await clock.advance(LOOK_MS);
      const left = sockets.filter(({ connected }) => !connected).length / ALL;
      expect(Math.abs(left - atMs / WITHIN_MS)).toBeLessThan(0.03);
    }
    await clock.advance(LOOK_MS);
    expect(await drained).toBeLessThanOrEqual(WITHIN_MS);
    expect(sockets.filter(({ connected }) => connected)).toEqual([]);
    // Chance leaves a few too many, and the server closes these.
    if (share === 1) expect(closed / ALL).toBeLessThan(0.15);
  },
);

test('[T23] the time of a stop follows the number of connections, and has a limit', () => {
  const pace = { drainPerS: 100, drainRealMs: 20_000 };
  const timesFor = (servers: number): number[] =>
    [0, 1, 50, 1000, 50_000].map((count) => drainMs(count, servers, pace));
  expect(timesFor(2)).toEqual([10, 20, 510, 10_010, 20_000]);
  // Redis does not say how many run.
  expect(timesFor(Infinity)).toEqual(timesFor(2));
  // Nobody takes the connections of the only server.
  expect(timesFor(1)).toEqual([10, 20, 510, 1000, 1000]);
});

test('[Z36] a server that stops asks once how many servers run, and waits for balancers only beside another one', async () => {
  const clock = handClock();
  const settings = { sockets: PACE, http: { leaveRealMs: 700 } } as unknown as Settings;
  let asked = 0;
  const leaveWith = (servers: number): Promise<void> => {
    const adapter = { serverCount: async () => ((asked += 1), servers) };
    const io = { of: () => ({ adapter, local: { emit: () => true }, sockets: new Map() }) };
    return leave(io as unknown as SocketServer, {} as Connections, clock, settings);
  };
  await leaveWith(1);
  expect([asked, clock.now()]).toEqual([1, handClock().now()]);
  const left = leaveWith(2).then(() => clock.now() - handClock().now());
  for (let step = 0; step < 20; step += 1) await clock.advance(100);
  expect(await left).toBeGreaterThanOrEqual(700);
  expect(asked).toBe(2);
});
