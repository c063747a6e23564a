import { expect, test } from 'vitest';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { eachDue, pauseAfter } from '../../src/work/each-due.ts';
import { inParts } from '../../src/work/parts.ts';

const isOurs = (): boolean => true;

/** A log that remembers its errors. */
function aLog() {
  const errors: object[] = [];
  const none = (): void => undefined;
  return { errors, info: none, warn: none, audit: none, error: (fields: object) => void errors.push(fields) };
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
    { what: 'row', id: 'bad', error: 'Error: broken' },
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
  expect(log.errors).toMatchObject([{ what: 'first', error: 'Error: broken' }]);
});
