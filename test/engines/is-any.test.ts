import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { isAny } from '../../src/engines/is-any.ts';
import { withinTenant } from '../../src/engines/tenants/tenants.ts';
import { keptLog } from '../kept-ports.ts';
import { captureCommands } from '../models/explain/captured.ts';
import { CLOCK, openHouse } from './mongo-house.ts';

const { mongo } = await openHouse('is-any', 'monitorCommands=true');
const capture = captureCommands(mongo);
type Row = { readonly _id: string; readonly dueAt: number };
const [bills, letters] = [{ name: 'bills' }, { name: 'letters' }];
await mongo.db.collection<Row>(bills.name).insertMany([
  { _id: 'early', dueAt: 10 },
  { _id: 'late', dueAt: 20 },
]);
await mongo.db.collection<Row>(letters.name).insertOne({ _id: 'only', dueAt: 30 });

const dueBy = (at: number) => ({ dueAt: { $lte: at } });

test('[S100] questions that are asked at once are one command, and each has its own answer', async () => {
  capture.taken();
  const asked = [
    isAny<Row>(mongo, CLOCK, bills, dueBy(5)),
    isAny<Row>(mongo, CLOCK, bills, dueBy(25)),
    isAny<Row>(mongo, CLOCK, letters, dueBy(25)),
    isAny<Row>(mongo, CLOCK, letters, dueBy(30)),
    isAny<Row>(mongo, CLOCK, { name: 'nothing' }, dueBy(30)),
  ];
  expect(await Promise.all(asked)).toEqual([false, true, false, true, false]);
  expect(capture.taken()).toHaveLength(1);
});

test('[S100] if the questions fail, each work reads its own rows', async () => {
  const log = keptLog();
  const other = { ...mongo, log };
  const fail = () =>
    Promise.all([
      isAny<Row>(other, CLOCK, bills, dueBy(5)),
      isAny<Row>(other, CLOCK, letters, { dueAt: { $nothing: 1 } } as never),
    ]);
  expect([await fail(), await fail()]).toEqual([
    [true, true],
    [true, true],
  ]);
  expect(log.lines).toHaveLength(1);
  expect(await isAny<Row>(other, CLOCK, bills, dueBy(5))).toBe(false);
  await fail();
  expect(log.lines).toHaveLength(2);
});

test('[S100] of several pieces of work that are found at once, each begins 50 ms after the one before', async () => {
  const pauses: number[] = [];
  const begun: string[] = [];
  let go = (): void => undefined;
  const pause = (ms: number): Promise<void> => {
    pauses.push(ms);
    return new Promise((resolve) => (go = resolve));
  };
  const clock = { real: { ...CLOCK.real, pause } };
  // Another process, which has answered nothing yet.
  const other = { ...mongo };
  const begin = async (work: string, at: number): Promise<void> => {
    if (await isAny<Row>(other, clock, bills, dueBy(at))) begun.push(work);
    else begun.push(`no ${work}`);
  };
  const works = [begin('one', 10), begin('none', 5), begin('two', 20)];
  await Promise.all(works.slice(0, 2));
  expect([begun.toSorted(), pauses]).toEqual([['no none', 'one'], [50]]);
  go();
  await works[2];
  expect(begun).toContain('two');
});

test('[S100] work of a vendor’s request may not ask across tenants', async () => {
  const asks = (): Promise<boolean> => isAny<Row>(mongo, CLOCK, bills, dueBy(5));
  const tenant = { vendorId: newId('ven'), liveMode: true };
  await expect(withinTenant(tenant, asks)).rejects.toThrow('only work of the server itself');
});
