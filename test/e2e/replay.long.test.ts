import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { answerRun, type RunAnswer } from '../../src/dispatch/match/answer.ts';
import { prepareRun } from '../../src/dispatch/regions/run/plan.ts';
import { newId, type RunId } from '../../src/domain/ids.ts';
import { createDecisionStore } from '../../src/models/regions/decision-store.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { readRunFile, writeRunFile } from '../../src/models/regions/run-file.ts';
import { defaultSettings } from '../../src/settings.ts';
import { aDelivery, NOON } from '../builders.ts';
import { at, runCourier, runInput } from '../dispatch/match/fixtures.ts';
import { testEngines } from '../engines.ts';
import { keptLog, keptMetrics } from '../kept-ports.ts';
import { until } from '../until.ts';
import { runSource } from './commands.ts';

const { mongoUrl } = testEngines('replay');
const logged: { [name in 'whole' | 'bare']: RunId } = { whole: newId('run'), bare: newId('run') };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'replay-'));
  const mongo = await connectMongo(mongoUrl, keptLog());
  for (const [name, bytesPerRealHour] of [
    ['whole', 1_000_000],
    ['bare', 0],
  ] as const) {
    const metrics = keptMetrics();
    const settings = { decisions: { ...defaultSettings().decisions, bytesPerRealHour } };
    const input = runInput({
      deliveries: [aDelivery(), aDelivery()],
      couriers: [runCourier(at(500)), runCourier(at(900))],
    });
    const { request } = prepareRun(input, [], 1);
    let looks = 0;
    const answer = answerRun(request, () => (looks += 1) > 2);
    const facts = { id: logged[name], region: 'r', fence: 1, at: NOON, tookMs: 3, rounds: answer.rounds, seed: 1 };
    createDecisionStore({ mongo, clock: createClock(), settings, metrics }).record({
      ...facts,
      request,
      answer,
      decisions: [],
    });
    await until(() => metrics.counts.size > 0);
  }
  await mongo.close();
});
afterAll(() => rm(folder, { recursive: true }));

const replay = (...args: string[]) => runSource('replay', args);

test('[O46] a kept run is replayed from the database, exported, and replayed from the file', async () => {
  const file = path.join(folder, 'a.run');
  const first = await replay('--run', logged.whole, '--mongo', mongoUrl, '--export', file);
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toContain(logged.whole);
  expect(first.out).toMatch(/del_\w+ +offered +cou_\w+/);
  expect(first.out).toMatch(/\nok: the results are the same \(2 decisions, 32 rounds\)\n$/);
  expect(await replay('--file', file)).toEqual(first);
});

test('[O46] a different answer is reported with the differences, and ends with 1', async () => {
  const file = path.join(folder, 'b.run');
  await replay('--run', logged.whole, '--mongo', mongoUrl, '--export', file);
  const run = await readRunFile(await readFile(file));
  const answer = run.answer as RunAnswer;
  const [first, ...others] = answer.decisions;
  const changed = { ...answer, decisions: [{ ...first!, costS: first!.costS + 1000 }, ...others] };
  await writeFile(file, await writeRunFile({ ...run, answer: changed }));
  const told = await replay('--file', file);
  expect(told.code).toBe(1);
  expect(told.out).toContain(`- ${first!.deliveryId}`);
  expect(told.out).toContain(`+ ${first!.deliveryId}`);
  expect(told.out).toMatch(/\nfailed: decisions differ/);
});

test('[O46] help ends with 0; an impossible comparison ends with 2 and a sentence', async () => {
  const help = await replay('--help');
  expect(help).toMatchObject({ code: 0, err: '' });
  expect(help.out).toContain('--export FILE');
  expect(await replay('-h')).toEqual(help);
  const damaged = path.join(folder, 'c.run');
  await writeFile(damaged, 'no run');
  const away = 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=100';
  const sentences = [
    [[], '--run or --file is missing.\nTo see all options, use --help.'],
    [['--nonsense'], 'To see all options, use --help.'],
    [['--run', logged.whole], 'Set --mongo or MONGO_URL. '],
    [['--run', logged.whole, '--mongo', away], 'MongoDB does not answer: '],
    [['--file', damaged], 'c.run cannot be replayed'],
    [['--run', newId('run'), '--mongo', mongoUrl], 'does not contain run_'],
    [
      ['--run', logged.bare, '--mongo', mongoUrl],
      'were not stored, because the limit of that hour was reached; their hash is',
    ],
    [['--run', 'run_7', '--mongo', mongoUrl], 'is not the id of a run'],
    [['--file', path.join(folder, 'none')], 'ENOENT'],
  ] as const;
  for (const [args, sentence] of sentences) {
    const told = await replay(...args);
    expect(told).toMatchObject({ code: 2, out: '' });
    expect(told.err).toContain(sentence);
    expect(told.err).not.toMatch(/\n +at /);
  }
});
