import { expect, test } from 'vitest';
import { createRounds } from '../../src/webhooks/rounds.ts';
import { handClock } from '../clock.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';

/** Rounds that end when the test says so. */
function heldRounds() {
  const log = keptLog();
  const state = { begun: 0, running: 0, most: 0, end: (_error?: Error): void => undefined };
  const rounds = createRounds({ clock: handClock(), log }, 'due webhooks', async () => {
    state.begun += 1;
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    const error = await new Promise<Error | undefined>((resolve) => (state.end = resolve));
    state.running -= 1;
    if (error !== undefined) throw error;
  });
  const run = async (error?: Error): Promise<void> => {
    const before = state.begun;
    // A wake may come while the round before is still ending, and then begins one more at once.
    await until(() => {
      if (state.running === 0) rounds.wake();
      return state.begun > before && state.running === 1;
    });
    state.end(error);
    await until(() => state.running === 0);
  };
  return { log, state, rounds, run };
}

test('[W34] rounds run one at a time, and once more if they were woken meanwhile', async () => {
  const { state, rounds } = heldRounds();
  for (let times = 0; times < 5; times += 1) rounds.wake();
  await until(() => state.begun === 1);
  for (let times = 0; times < 5; times += 1) rounds.wake();
  state.end();
  await until(() => state.begun === 2);
  const stopped = rounds.stop();
  rounds.wake();
  state.end();
  await stopped;
  expect(state).toMatchObject({ begun: 2, running: 0, most: 1 });
});

test('[W39] an outage of the database leaves one log line when it begins and one when it is over', async () => {
  const { log, run, rounds } = heldRounds();
  await run();
  for (let times = 0; times < 4; times += 1) await run(new Error('away'));
  await run();
  await run();
  await run(new Error('away again'));
  await rounds.stop();
  expect(log.lines.map(({ level, message, fields }) => [level, message, fields])).toEqual([
    ['warn', 'due webhooks wait for the database', { error: 'Error: away' }],
    ['warn', 'due webhooks go on', { error: 'Error: away' }],
    ['warn', 'due webhooks wait for the database', { error: 'Error: away again' }],
  ]);
});

test('[W60] what becomes due in the rest after a round waits for one common round', async () => {
  const clock = handClock();
  let begun = 0;
  const round = async (): Promise<void> => void (begun += 1);
  const rounds = createRounds({ clock, log: keptLog() }, 'new webhooks', round, 20);
  rounds.wake();
  expect(begun).toBe(1);
  await clock.advance(0);
  await clock.advance(10);
  for (let times = 0; times < 5; times += 1) rounds.wake();
  await clock.advance(9);
  expect(begun).toBe(1);
  await clock.advance(1);
  expect(begun).toBe(2);
  await clock.advance(100);
  expect(begun).toBe(2);
  await rounds.stop();
});
