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

test('[H410] a slow answer holds up the next requests for 40 ms only', async () => {
  const { clock, gone, send } = await entrance();
  await send('/slow');
  await send('/next');
  await clock.advance(39);
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

const PAIR = ['/a', '/b'];
const MORE = ['/1', '/2', '/3', '/4'];

/** An entrance whose last group had two requests, which have been answered. */
async function busyEntrance() {
  const { answer, ...open } = await entrance();
  await open.send('/lone');
  for (const path of PAIR) await open.send(path);
  answer('/lone');
  await until(() => open.gone.length === 3);
  for (const path of PAIR) answer(path);
  return open;
}

test('[H410] after a group of two, up to three requests wait for company until 40 ms after it began', async () => {
  const { clock, gone, send } = await busyEntrance();
  for (const path of MORE.slice(0, 3)) await send(path);
  await clock.advance(39);
  expect(gone).toEqual(['/lone', ...PAIR]);
  await clock.advance(1);
  await until(() => gone.length > 3);
  expect(gone).toEqual(['/lone', ...PAIR, ...MORE.slice(0, 3)]);
});

test('[H410] after a group of two, four waiting requests go on 20 ms after it began', async () => {
  const { clock, gone, send } = await busyEntrance();
  for (const path of MORE) await send(path);
  await clock.advance(19);
  expect(gone).toEqual(['/lone', ...PAIR]);
  await clock.advance(1);
  await until(() => gone.length > 3);
  expect(gone).toEqual(['/lone', ...PAIR, ...MORE]);
});

test('[H410] more than 20 ms after a group of two, the fourth request ends the wait', async () => {
  const { clock, gone, send } = await busyEntrance();
  for (const path of MORE.slice(0, 3)) await send(path);
  await clock.advance(25);
  expect(gone).toEqual(['/lone', ...PAIR]);
  await send('/4');
  await until(() => gone.length > 3);
  expect(gone).toEqual(['/lone', ...PAIR, ...MORE]);
});
