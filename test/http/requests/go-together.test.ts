import { AsyncLocalStorage } from 'node:async_hooks';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createGoTogether } from '../../../src/http/requests/go-together.ts';
import { handClock } from '../../clock.ts';
import { until } from '../../until.ts';

/** A server whose answers the test gives. `gone` has the paths of the requests that went on, each in its own context. */
async function entrance() {
  const clock = handClock();
  const context = new AsyncLocalStorage<string>();
  const [arrived, gone] = [new Set<string>(), [] as (string | undefined)[]];
  const answers = new Map<string, () => void>();
  const app = express();
  app.use((req, _res, next) => context.run(req.path, next));
  app.use((req, _res, next) => {
    arrived.add(req.path);
    next();
  });
  const goTogether = createGoTogether(clock);
  app.use(async (_req, res, next) => {
    await goTogether(res);
    next();
  });
  app.use((req, res) => {
    gone.push(context.getStore());
    answers.set(req.path, () => void res.end());
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await until(() => server.listening);
  const { port } = server.address() as AddressInfo;
  const send = async (path: string): Promise<AbortController> => {
    const caller = new AbortController();
    void fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', signal: caller.signal }).catch(() => undefined);
    await until(() => arrived.has(path));
    // A lone request goes on at the end of the turn.
    await new Promise((resolve) => void setImmediate(resolve));
    await new Promise((resolve) => void setImmediate(resolve));
    return caller;
  };
  return { clock, gone, send, answer: (path: string) => answers.get(path)?.() };
}

test('[H410] a lone request waits for nothing, and others wait until it is answered', async () => {
  const { gone, send, answer } = await entrance();
  await send('/first');
  expect(gone).toEqual(['/first']);
  await send('/second');
  await send('/third');
  expect(gone).toEqual(['/first']);
  answer('/first');
  await until(() => gone.length > 1);
  expect(gone).toEqual(['/first', '/second', '/third']);
});

test('[H410] a slow answer holds up the next requests for 30 ms only', async () => {
  const { clock, gone, send } = await entrance();
  await send('/slow');
  await send('/next');
  await clock.advance(29);
  expect(gone).toEqual(['/slow']);
  await clock.advance(1);
  await until(() => gone.length > 1);
  expect(gone).toEqual(['/slow', '/next']);
});

test('[H410] a caller who hangs up holds up nobody', async () => {
  const { gone, send } = await entrance();
  const lost = await send('/lost');
  await send('/next');
  lost.abort();
  await until(() => gone.length > 1);
  expect(gone).toEqual(['/lost', '/next']);
});

test('[H410] after a group of two, the next one starts 30 ms later at the earliest', async () => {
  const { clock, gone, send, answer } = await entrance();
  await send('/lone');
  for (const path of ['/a', '/b']) await send(path);
  answer('/lone');
  await until(() => gone.length === 3);
  for (const path of ['/a', '/b']) answer(path);
  await send('/next');
  await clock.advance(29);
  expect(gone).toEqual(['/lone', '/a', '/b']);
  await clock.advance(1);
  await until(() => gone.length > 3);
  expect(gone.at(-1)).toBe('/next');
});
