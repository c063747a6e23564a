import { expect, test } from 'vitest';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { eachDue, eachDuePage, pauseAfter } from '../../src/work/each-due.ts';
import { inParts } from '../../src/work/parts.ts';
import { handClock, type HandClock } from '../clock.ts';

const isOurs = (): boolean => true;

/** A log that remembers its errors. */
function aLog() {
  const errors: object[] = [];
  const none = (): void => undefined;
  const error = (fields: object): void => void errors.push(fields);
  return { errors, info: none, warn: none, audit: none, error, covers: () => false };
}

/** Does the due work of these rows. A row fails with its error, if it has one. */
async function work(rows: readonly [id: string, error: Error | null][], isStoreAway = false) {
  const log = aLog();
  const done: string[] = [];
  const putOff: string[] = [];
  const turn = eachDue(log, rows, isOurs, {
    what: 'row',
    idOf: ([id]) => id,
    act: async ([id, error]) => {
      if (error !== null) throw error;
      done.push(id);
    },
    putOff: async ([id]) => {
      if (isStoreAway) throw new Error('away');
      putOff.push(id);
    },
  });
  return { thrown: await turn.then(() => null, String), done, putOff, logged: log.errors };
}

test('[J230] a row that fails is put off and logged by its name, and stops no other row', async () => {
  const { thrown, done, putOff, logged } = await work([
    ['bad', new Error('broken')],
    ['good', null],
    ['gone', new Refusal('vendor_not_found')],
    ['met', new Refusal('busy')],
    ['last', null],
  ]);
  expect([thrown, done, putOff]).toEqual([null, ['good', 'last'], ['bad', 'gone', 'met']]);
  // Another process was faster, which is no fault of the row.
  expect(logged).toMatchObject([
    { what: 'row', id: 'bad', error: new Error('broken') },
    { what: 'row', id: 'gone' },
  ]);
});

test('[J230] if a row cannot even be put off, the error is thrown once and no row is blamed', async () => {
  const { thrown, done, logged } = await work(
    [
      ['one', new Error('away')],
      ['two', new Error('away')],
      ['good', null],
    ],
    true,
  );
  expect([thrown, done, logged]).toEqual(['Error: away', ['good'], []]);
});

/** Ends rows that are due in pages of 10, each of which takes this long. Returns the sizes of the pages. */
async function readPages(count: number, pageMs: number, most = Infinity): Promise<number[]> {
  const clock = handClock();
  const due = Array.from({ length: count }, (_row, at) => at);
  const sizes: number[] = [];
  const list = async (limit: number): Promise<readonly number[]> => {
    await clock.advance(pageMs);
    const page = due.slice(0, limit);
    sizes.push(page.length);
    return page;
  };
  const act = async (row: number) => void due.splice(due.indexOf(row), 1);
  const work = { what: 'row', idOf: String, act };
  await eachDuePage({ clock: slept(clock).clock, log: aLog() }, { list, limit: 10 }, () => sizes.length < most, work);
  return sizes;
}

/** The clock, and how long its users have slept, ms. Their sleep passes at once. */
function slept(clock: HandClock) {
  const rests: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    rests.push(ms);
    await clock.advance(ms);
  };
  return { rests, clock: { real: { ...clock.real, sleep } } };
}

test('[J263] a turn reads on while pages are full, and ends with the lease and after a bounded time', async () => {
  expect(await readPages(25, 1)).toEqual([10, 10, 5]);
  expect(await readPages(20, 1)).toEqual([10, 10, 0]);
  expect(await readPages(1000, 100_000)).toEqual([10, 10, 10]);
  // The process has lost its lease after the second read, so it acts on none of its rows.
  expect(await readPages(1000, 1, 2)).toEqual([10, 10]);
});

test('[J263] after each row a turn rests twice as long as the row took, 100 ms at most, also after a failure', async () => {
  const clock = handClock();
  const { rests, clock: sleeper } = slept(clock);
  const act = async (tookMs: number): Promise<void> => {
    await clock.advance(tookMs);
    if (tookMs === 30) throw new Error('broken');
  };
  const page = { list: async () => [0, 5, 30, 80_000], limit: 10 };
  const work = { what: 'row', idOf: String, act };
  await eachDuePage({ clock: sleeper, log: aLog() }, page, isOurs, work);
  expect(rests).toEqual([10, 60, 100]);
});

test('[J263] a turn begins no further row when its time is over, so that the parts after it have theirs', async () => {
  const clock = handClock();
  const done: number[] = [];
  const act = async (row: number): Promise<void> => {
    done.push(row);
    await clock.advance(120_000);
  };
  const page = { list: async () => [1, 2, 3, 4, 5], limit: 10 };
  await eachDuePage({ clock: slept(clock).clock, log: aLog() }, page, isOurs, { what: 'row', idOf: String, act });
  expect(done).toEqual([1, 2, 3]);
});

test('[J230] the pauses of a row grow from 30 s to 6 h', () => {
  const pauses = Array.from({ length: 14 }, (_, index) => pauseAfter(index + 1));
  expect(pauses.slice(0, 3)).toEqual([30_000, 60_000, 120_000]);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect([pauses.at(-1), pauseAfter(2000)]).toEqual([21_600_000, 21_600_000]);
});

test('[J230] a part of a turn that fails is logged, and the parts after it run', async () => {
  const log = aLog();
  const ran: string[] = [];
  let owns = true;
  const turn = inParts(log, [
    ['first', () => Promise.reject(new Error('broken'))],
    ['second', async () => void ran.push('second')],
    ['third', async () => void (owns = false)],
    ['fourth', async () => void ran.push('fourth')],
  ]);
  await turn(() => owns);
  await turn(isOurs);
  expect(ran).toEqual(['second', 'second', 'fourth']);
  expect(log.errors).toMatchObject([{ what: 'first', error: new Error('broken') }]);
});
