import { countsUnder, sumOf, type Sums } from './sums.ts';

/**
 * Each class of spans is this much wider than the one below it. The middle of a class differs from any span in it by
 * less than 4 %.
 */
const GROWTH = 1.08;
/** Spans below a second are in one class. */
const SHORTEST_MS = 1000;
/** The last class begins at 241 days, so that no name of a class is unbounded. */
const MOST_CLASSES = 220;

/** The statistics of spans in seconds; null if there are none. */
export type SpanFigures = {
  readonly count: number;
  readonly meanS: number | null;
  readonly p50S: number | null;
  readonly p90S: number | null;
};

/** The sums of one span: how many, their total, and how many are in its class. */
export function sumsOfSpan(name: string, ms: number): Sums {
  const span = Math.max(0, ms);
  return { [`${name}_n`]: 1, [`${name}_ms`]: span, [`${name}/${classOf(span)}`]: 1 };
}

/** Count and mean are exact. The percentiles are within 4 % of the span at their nearest rank, or within a second. */
export function figuresOf(sums: Sums, name: string): SpanFigures {
  const count = sumOf(sums, `${name}_n`);
  if (count === 0) return { count, meanS: null, p50S: null, p90S: null };
  const classes = countsUnder(sums, `${name}/`)
    .map(([index, many]) => ({ index: Number(index), many }))
    .toSorted((a, b) => a.index - b.index);
  const quantileS = (share: number): number => {
    const rank = Math.ceil(share * count);
    let below = 0;
    const found = classes.find(({ many }) => (below += many) >= rank);
    return middleS(found?.index ?? 0);
  };
  const meanS = sumOf(sums, `${name}_ms`) / count / 1000;
  return { count, meanS, p50S: quantileS(0.5), p90S: quantileS(0.9) };
}

function classOf(ms: number): number {
  if (ms < SHORTEST_MS) return 0;
  return Math.min(MOST_CLASSES, 1 + Math.floor(Math.log(ms / SHORTEST_MS) / Math.log(GROWTH)));
}

/** The geometric middle of a class, seconds. */
function middleS(index: number): number {
  return index === 0 ? SHORTEST_MS / 2000 : (SHORTEST_MS / 1000) * GROWTH ** (index - 0.5);
}
