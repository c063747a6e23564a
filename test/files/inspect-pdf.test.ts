import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inspectPdf } from '../../src/files/inspect-pdf.ts';
import { handClock } from '../clock.ts';
import { aPdf } from './samples.ts';

const SLICE = 65_536;
const clock = handClock(0);

/** A PDF with this text at this place. */
function withAt(at: number, text: string): Buffer {
  const before = aPdf('').indexOf('xref');
  return aPdf(`${' '.repeat(at - before)}${text}\n`);
}

test('[H423] what a PDF hides is found wherever the slices are cut', async () => {
  const packed = deflateSync('/S /JavaScript').toString('latin1');
  const hidden = [
    ['/JavaScript ', 'must not have active content (`/JavaScript`)'],
    ['/#4a#61#76#61#53#63#72#69#70#74 ', 'must not have active content (`/JavaScript`)'],
    ['/EmbeddedFiles ', 'must not have active content (`/EmbeddedFiles`)'],
    ['/LaunchPad ', null],
    [`\n4 0 obj<</Type/ObjStm>>stream\r\n${packed}\nendstream\n`, 'must not have active content (`/JavaScript`)'],
    [`\n4 0 obj<</Type/ObjStm>>\nendstream\n${packed}\n`, 'must compress its objects with `/FlateDecode` only'],
  ] as const;
  for (const [text, fault] of hidden) {
    for (let at = SLICE - 70; at <= SLICE + 5; at += 1) {
      expect([text, at, await inspectPdf(clock, withAt(at, text))]).toEqual([text, at, fault]);
    }
  }
});

test('[H423] a large PDF lets other work use the thread', async () => {
  let now = 0;
  // Each look at this clock says that a turn is over.
  const slow = { ...clock, real: { ...clock.real, elapsed: () => (now += 10) } };
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await inspectPdf(slow, aPdf('/'.repeat(20 * SLICE)))).toBeNull();
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(20);
});
