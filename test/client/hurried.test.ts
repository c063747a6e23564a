import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTrackFeed } from '../../packages/client/src/sockets/track.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';
import { hurry } from './hurry.ts';
import { aVendorFeed } from './vendor-service.ts';

/** The random parts of waits are nearly nothing. */
function withoutChance(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.001);
  onTestFinished(() => random.mockRestore());
}

const MINUTE = { firstMs: 60_000, mostMs: 60_000 };

test('[H508] a feed that is hurried has the next connection soon, however long it meant to wait, and none after its end', async () => {
  withoutChance();
  const { feed, service, seen } = await aVendorFeed({ backoff: MINUTE });
  service.cut();
  await until(() => seen.states.at(-1) === 'lost');
  feed.hurry();
  await until(() => seen.states.at(-1) === 'live');
  service.cut();
  await until(() => seen.states.at(-1) === 'lost');
  feed.close();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  feed.hurry();
  expect(vi.getTimerCount()).toBe(0);
});

test('[H508] after a hurry the waits are short again, also if a connection that opens at this moment fails', async () => {
  withoutChance();
  const waits = hurry();
  let opened = 0;
  const server = createServer((socket) => {
    opened += 1;
    if (opened === 3) feed.hurry();
    socket.destroy();
  });
  const backoff = { firstMs: 10, mostMs: 60_000 };
  const feed = openTrackFeed({ baseUrl: await openPort(server), token: 't', backoff });
  onTestFinished(() => {
    feed.close();
    server.close();
  });
  await until(() => opened === 5);
  const between = waits.flatMap((ms = 0) => (ms >= 5 && ms < 100 ? [Math.round(ms)] : []));
  expect(between.slice(0, 4)).toEqual([5, 10, 5, 10]);
});
