import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { measure, parseOptions } from '../../../load-tests/bench-quotes.ts';
import { judge, lastLine, rowOf, tableOf, type QuotesFigures, type Row } from '../../../load-tests/quotes/report.ts';
import { startServer, type TestServer } from '../../e2e/servers.ts';
import { EXTRACT } from '../../embedded/streets/streets-house.ts';
import { testEngines } from '../../engines.ts';

const ROW: Row = { count: 1000, p50: 12, p99: 400, max: 900, failures: 0, routed: 1, cpuMs: 4 };
const GOOD: QuotesFigures = {
  rate: 50,
  kills: 2,
  awayS: [1.5, 2.5],
  freshStraight: { ...ROW, routed: 0 },
  fresh: { ...ROW, routed: 0.5 },
  routedP99: 400,
  remembered: [ROW],
  straight: [{ ...ROW, p50: 10, routed: 0 }],
  asked: 0,
  faults: [],
};

test('[E48] the bench names exactly the limits of quotes that were missed', () => {
  expect(lastLine(judge(GOOD))).toBe('ok quotes at 50/s, every limit kept');
  expect(tableOf(judge(GOOD))).toHaveLength(8);
  const cases: readonly (readonly [Partial<QuotesFigures>, RegExp])[] = [
    [{ fresh: { ...ROW, failures: 2 }, faults: ['Error: 503'] }, /^2 quotes failed, the first with: Error: 503$/],
    [{ fresh: { ...ROW, p99: 400.1 } }, /^the p99 of a quote is 400\.1 ms, at most 400 ms wanted$/],
    [{ routedP99: 400.1 }, /^the p99 of a quote with a route is 400\.1 ms/],
    [{ remembered: [{ ...ROW, p50: 12.1 }] }, /^a known route takes 1\.21 of a quote without streets, 1\.2 wanted$/],
    [{ awayS: [1.5] }, /^Valhalla was killed 1 times during the quotes, 2 times wanted$/],
    [{ fresh: { ...ROW, routed: 0.49 } }, /^only 49\.0 % of the quotes of new pairs had a route$/],
    [{ remembered: [{ ...ROW, routed: 0.99 }] }, /^a pair that had a route was quoted without one$/],
    [{ straight: [{ ...ROW, p50: 10 }] }, /^the server without streets quoted a route$/],
    [{ freshStraight: ROW }, /^the server without streets quoted a route$/],
    [{ asked: 3 }, /^Valhalla was asked for 3 routes that were known$/],
  ];
  for (const [change, problem] of cases) {
    expect(judge({ ...GOOD, ...change }).problems).toEqual([expect.stringMatching(problem)]);
  }
});

test('[E48] a quote that failed counts with its wait, and has no distance', () => {
  const quote = { ms: 10, source: 'route', fault: null } as const;
  const row = rowOf([quote, quote, { ...quote, source: 'estimate' }, { ms: 5000, source: null, fault: 'late' }], 0.02);
  expect(row).toEqual({ count: 4, p50: 10, p99: 5000, max: 5000, failures: 1, routed: 0.5, cpuMs: 5 });
});

test('[E48] no quote fails while Valhalla is killed, and a known route is not asked for again', async () => {
  const [plain, streets] = await Promise.all([
    startServer(testEngines('quotes plain')),
    startServer(testEngines('quotes streets'), { STREETS_FILE: EXTRACT }),
  ]);
  onTestFinished(async () => void (await Promise.all([plain.stop(), streets.stop()])));
  const counterOf = ({ baseUrl, demo }: TestServer) => ({ address: baseUrl, apiKey: demo.vendor.api_key });
  const sites = { streets: counterOf(streets), plain: counterOf(plain), streetsDir: dirname(streets.demoFile) };
  // A busy machine takes some seconds more until Valhalla is back. Only returns before the last quote count.
  const options = { ...parseOptions([]), rate: 20, seconds: 30, kills: 2, pairs: 20, rounds: 1, roundS: 2 };
  const { faults, awayS, fresh, remembered, straight, asked } = await measure(sites, options, () => {});
  expect(faults).toEqual([]);
  expect([awayS.length, fresh.count, asked]).toEqual([2, 600, 0]);
  // The estimates are those of the time between a kill and the return.
  expect(fresh.routed).toBeGreaterThan(0.1);
  expect(fresh.routed).toBeLessThan(1);
  expect([remembered, straight].map(([row]) => [row?.count, row?.routed])).toEqual([
    [40, 1],
    [40, 0],
  ]);
});

test('[E48] the bench refuses a wrong option with one sentence', () => {
  expect(parseOptions([])).toMatchObject({ rate: 50, seconds: 180, kills: 5, json: null });
  expect(() => parseOptions(['--rate', '0'])).toThrow(/^--rate must be a whole number from 1 to 1000$/);
});
