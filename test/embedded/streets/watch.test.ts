import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watch } from '../../../src/embedded/streets/lead-streets.ts';
import { openPort } from '../../open-port.ts';

test('[O92] the end of a Valhalla is awaited once, however many checks it answers', async () => {
  const halting = new AbortController();
  let checks = 0;
  const server = createServer((_request, response) => {
    checks += 1;
    if (checks === 20) halting.abort();
    response.end('{}');
  });
  const url = await openPort(server);
  onTestFinished(() => void server.close());
  const end = new Promise<void>(() => undefined);
  const reactions = vi.spyOn(end, 'then');
  expect(await watch({ engine: { end }, url }, halting.signal, 1)).toBe(false);
  expect([checks, reactions.mock.calls.length]).toEqual([20, 1]);
});

test('[E17] a watch notices the end of a Valhalla before the next check', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const watching = watch({ engine: { end }, url: 'http://127.0.0.1:1' }, new AbortController().signal, 600_000);
  resolve();
  expect(await watching).toBe(false);
});
