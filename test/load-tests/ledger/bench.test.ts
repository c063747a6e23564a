import { expect, test } from 'vitest';
import { parseOptions } from '../../../load-tests/bench-ledger.ts';
import { judge, lastLine, tableOf, type LedgerFigures } from '../../../load-tests/ledger/report.ts';

const rate = (perS: number, p50Ms = 2) => ({ perS, p50Ms, p99Ms: 9 });
const GOOD: LedgerFigures = {
  many: rate(8000),
  one: rate(6000),
  plain: rate(1200),
  lone: rate(400, 2.6),
  plainLone: rate(400, 2),
  half: rate(4000),
  holds: rate(3000),
  repeatedShare: 0.009,
};

test('[J13] the bench names exactly the limits that were missed', () => {
  expect(lastLine(judge(GOOD))).toBe('ok');
  expect(tableOf(judge(GOOD))).toHaveLength(8);
  const misses: readonly (readonly [Partial<LedgerFigures>, RegExp])[] = [
    [{ many: rate(7999) }, /^failed: 7999 transfers\/s over many wallets, 8000 wanted$/],
    [{ one: rate(5999), plain: rate(1100) }, /^failed: 5999 transfers\/s on one wallet, 6000 wanted$/],
    [{ plain: rate(1250) }, /^failed: not 5 times the plain transactions on one wallet$/],
    [{ lone: rate(400, 2.7) }, /^failed: a lone request takes over 1.3 times a plain transaction$/],
    [{ repeatedShare: 0.01 }, /^failed: 1.00 % of the ledger's transactions were repeated$/],
  ];
  for (const [change, told] of misses) expect(lastLine(judge({ ...GOOD, ...change }))).toMatch(told);
});

test('[J13] the bench refuses a wrong option with one sentence', () => {
  expect(parseOptions([])).toMatchObject({ wallets: 1000, clients: 256, seconds: 10 });
  expect(() => parseOptions(['--wallets', 'many'])).toThrow(/--wallets must be a whole number from 1 to 100000/);
});
