import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { kindWords, STEP_WORDS } from './words.ts';

export type Step = {
  readonly key: string;
  readonly label: string;
  /** Service time in epoch ms; null if the step has not happened. */
  readonly at: number | null;
  readonly mark: 'done' | 'current' | 'open' | 'broken';
};

/**
 * The steps on the page. A delivery that ended early has only the steps that happened and its ending. A return begins on the
 * way, so it has none before.
 */
export function stepsOf(delivery: TrackDelivery): Step[] {
  const { kind, status, steps } = delivery;
  // A courier may have given the delivery back. In that case the search has started again.
  const isSought = status === 'scheduled' || status === 'searching';
  const before = [
    { key: 'ordered', label: STEP_WORDS.ordered, at: time(steps.ordered_at) },
    { key: 'found', label: STEP_WORDS.found, at: isSought ? null : time(steps.assigned_at) },
    { key: 'collected', label: STEP_WORDS.collected, at: time(steps.picked_up_at) },
  ];
  const onTheWay = { key: 'on_the_way', label: STEP_WORDS.onTheWay, at: time(steps.in_transit_at) };
  const way = kind === 'return' ? [onTheWay] : [...before, onTheWay];
  const ending = kindWords(delivery).steps;
  const endedAt = time(steps.ended_at);
  if (status === 'failed' || status === 'canceled') {
    const happened = way.filter(({ at }) => at !== null).map((step) => ({ ...step, mark: 'done' as const }));
    return [
      ...happened,
      { key: 'ended', label: status === 'failed' ? ending.failed : STEP_WORDS.canceled, at: endedAt, mark: 'broken' },
    ];
  }
  const all = [...way, { key: 'ended', label: ending.delivered, at: endedAt }];
  const reached = all.findLastIndex(({ at }) => at !== null);
  return all.map((step, index) => ({ ...step, mark: markAt(index, reached, status === 'delivered') }));
}

function markAt(index: number, reached: number, isOver: boolean): Step['mark'] {
  if (index <= reached) return 'done';
  return index === reached + 1 && !isOver ? 'current' : 'open';
}

function time(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
