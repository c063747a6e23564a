import { expect, test } from 'vitest';
import { measure } from '../../load-tests/dispatch/metrics.ts';
import { playNearest } from '../../load-tests/dispatch/play/nearest.ts';
import { tableOf as benchTable } from '../../load-tests/dispatch/table.ts';
import { tableOf as simulationTable } from '../../load-tests/simulate/table.ts';
import { TINY_DAY } from './dispatch/tiny-day.ts';
import { figuresWith } from './simulate/figures.ts';

/** The text after the last empty line. */
function legendOf(lines: readonly string[]): string {
  return lines.slice(lines.lastIndexOf('') + 1).join(' ');
}

test('[Y35] each column of bench:dispatch is explained below the table', () => {
  const figures = measure(playNearest(TINY_DAY, { accept: 1, prep: 'known', seed: 1 }));
  const lines = benchTable([{ name: 'tiny', matcher: figures, nearest: figures, tookMs: 1 }]);
  const legend = legendOf(lines);
  const [, ...words] = (lines[0] ?? '').trim().split(/\s+/u);
  expect(words.length).toBeGreaterThan(15);
  for (const word of words) expect(legend).toContain(word);
});

test('[Y35] the words of a simulated day are explained below its table', () => {
  const spread = { p50: 0, p99: 0 };
  const lines = simulationTable({
    ...figuresWith({}),
    couriers: 0,
    offers: { made: 0, accepted: 0, declined: 0, expired: 0, taken: 0 },
    eventsCommitted: 0,
    fixes: 0,
    fixesPerS: 0,
    pingAckMs: spread,
    positionLagMs: { ...spread, frames: 0 },
    kills: 0,
    restRetries: 0,
    actionsRetried: 0,
    lost: 0,
    surprises: {},
    usage: {},
    wallS: 0,
  });
  const legend = legendOf(lines);
  const words = [
    'click to door',
    'arrival error',
    'lean',
    'run to phone',
    'when due',
    'as if due',
    'Gini',
    'again',
    'gaps',
    'service s',
    'search',
    'ms',
    'p50',
  ];
  for (const word of words) {
    expect(lines.slice(0, lines.lastIndexOf('')).join('\n')).toContain(word);
    expect(legend).toContain(word);
  }
});
