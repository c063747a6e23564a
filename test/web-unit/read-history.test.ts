import { expect, test } from 'vitest';
import { newerHistory, readHistory } from '../../web/console/read-history.ts';
import type { WireEvent } from '../../web/shared/wire.ts';

const upTo = (last: number): WireEvent[] =>
  Array.from({ length: last }, (_, at) => ({ sequence: at + 1 }) as unknown as WireEvent);

test('[V97] a history that misses an event which arrived during its read is read again, three times at most', async () => {
  let reads = 0;
  const growing = async () => upTo((reads += 1) + 4);
  expect(await readHistory(growing, () => 6)).toHaveLength(6);
  expect(reads).toBe(2);
  expect(await readHistory(growing, () => 6)).toHaveLength(7);
  expect(reads).toBe(3);
  // The newest events were removed after their time, so no read can have them.
  const cut = async () => upTo(Number((reads += 1) > 0));
  expect(await readHistory(cut, () => 6)).toHaveLength(1);
  expect(reads).toBe(6);
});

test('[V97] an answer that is older than the shown history does not replace it', () => {
  const [older, newer] = [upTo(5), upTo(6)];
  expect(newerHistory(newer, older)).toBe(newer);
  expect(newerHistory(older, newer)).toBe(newer);
  expect(newerHistory(null, older)).toBe(older);
});
