import { expect, test } from 'vitest';
import { createMarks } from '../../../load-tests/simulate/people/marks.ts';
import type { PresentedEvent } from '../../../load-tests/clients/wire.ts';

const DELIVERY = 'del_01h455vb4pex5vsknk084sn02q';

function event(sequence: number): PresentedEvent {
  return {
    id: `evt_${sequence}`,
    object: 'event',
    type: 'delivery.updated',
    api_version: '2026-11-01',
    created_at: '2026-11-21T12:00:00.000Z',
    live_mode: false,
    sequence,
    delivery_id: DELIVERY,
    data: {},
  };
}

test('[Y6] a reader takes an event once and drops it when it comes again', () => {
  const marks = createMarks();
  expect([1, 2, 2, 1, 3].map((sequence) => marks.arrive(event(sequence)))).toEqual([
    'taken',
    'taken',
    'duplicate',
    'duplicate',
    'taken',
  ]);
  expect(marks.counts).toEqual({ duplicates: 2, gaps: 0, outOfOrder: 0, resets: 0 });
  expect(marks.lastSeq()).toEqual({ [DELIVERY]: 3 });
});

test('[Y6] a reader asks for a gap, and the answer closes it without taking an event twice', () => {
  const marks = createMarks();
  marks.arrive(event(1));
  expect(marks.arrive(event(4))).toBe('gap');
  expect(marks.of(DELIVERY)).toBe(1);
  const fresh = marks.resynced(DELIVERY, { events: [event(2), event(3), event(4)], through: 4 });
  expect(fresh.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
  expect(marks.resynced(DELIVERY, { events: [event(3)], through: 4 })).toEqual([]);
  expect(marks.arrive(event(5))).toBe('taken');
  expect([...marks.seen(DELIVERY)]).toEqual([1, 2, 3, 4, 5]);
});

test('[Y6] a reader asks if a beacon is ahead of its mark, but not if it is at the mark or behind it', () => {
  const marks = createMarks();
  marks.arrive(event(1));
  expect(marks.behind({ [DELIVERY]: 1 })).toEqual([]);
  expect(marks.behind({ [DELIVERY]: 2 })).toEqual([DELIVERY]);
  expect(marks.behind({ del_unknown: 1 })).toEqual(['del_unknown']);
});

test('[Y6] a reader that joins late starts at its first snapshot', () => {
  const marks = createMarks();
  marks.begin(DELIVERY, 4);
  marks.begin(DELIVERY, 7);
  expect([marks.base(DELIVERY), marks.of(DELIVERY)]).toEqual([4, 4]);
  expect(marks.arrive(event(5))).toBe('taken');
});

test('[Y7] an event that overtakes another on one connection counts as out of order, a replay does not', () => {
  const marks = createMarks();
  marks.arrive(event(1));
  marks.arrive(event(3));
  marks.arrive(event(2));
  expect(marks.counts.outOfOrder).toBe(1);

  const replayed = createMarks();
  replayed.arrive(event(1));
  replayed.arrive(event(3));
  replayed.reconnected();
  expect([2, 3].map((sequence) => replayed.arrive(event(sequence)))).toEqual(['taken', 'taken']);
  expect(replayed.counts.outOfOrder).toBe(0);
});

test('[Y7] events that a reset skips stay unseen', () => {
  const marks = createMarks();
  marks.arrive(event(1));
  const snapshot = { delivery_id: DELIVERY, sequence: 5, delivery: {} } as never;
  expect(marks.resynced(DELIVERY, { reset: true, snapshot })).toEqual([]);
  expect(marks.of(DELIVERY)).toBe(5);
  expect([...marks.seen(DELIVERY)]).toEqual([1]);
});
