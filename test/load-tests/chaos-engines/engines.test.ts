import { expect, test } from 'vitest';
import { parseEnginesOptions } from '../../../load-tests/chaos-engines/options.ts';
import { FAULT_NAMES, FAULTS, type Fault } from '../../../load-tests/chaos-engines/plan.ts';
import { judgeRun } from '../../../load-tests/chaos-engines/report.ts';
import { planFaults } from '../../../load-tests/plan-faults.ts';

test('[Z31] a seed makes one plan with each fault as often as requested, in mixed order and apart from the others', () => {
  const plan = planFaults(FAULTS, 7);
  expect(planFaults(FAULTS, 7)).toEqual(plan);
  expect(planFaults(FAULTS, 8).map(({ fault }) => fault)).not.toEqual(plan.map(({ fault }) => fault));
  for (const fault of FAULT_NAMES) {
    expect(plan.filter((planned) => planned.fault === fault)).toHaveLength(FAULTS[fault]);
  }
  const shares = plan.map(({ share }) => share);
  const gaps = shares.slice(1).map((share, index) => share - (shares[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(0.5 / plan.length);
  expect([Math.min(...shares) > 0, Math.max(...shares) < 1]).toEqual([true, true]);
});

const aFault = (fault: Fault, withoutWritesMs: number) => ({ fault, what: fault, atS: 0, healedS: 0, withoutWritesMs });

test('[Z32] a requested fault that was not made fails the run, and so does a bad day', () => {
  const options = parseEnginesOptions(['--redis', 'cluster', '--clock-steps', '2']);
  if (options === null) throw new Error('only the usage was asked for');
  expect(options).toMatchObject({ redis: 'cluster', orders: 300, speed: 20, faults: { ...FAULTS, 'clock-steps': 2 } });
  const day = { problems: ['1 events out of order'] };
  const made = planFaults(FAULTS, 1).map(({ fault }) => aFault(fault, fault === 'step-downs' ? 5000 : 9000));
  expect(judgeRun(options, day, made).problems).toEqual([
    '1 events out of order',
    '1 clock-steps were not made before the last order ended',
  ]);
  expect(() => parseEnginesOptions(['--redis', 'file'])).toThrow('--redis must be one of pair, sentinel, cluster');
  expect(() => parseEnginesOptions(['--servers', '1'])).toThrow('--servers must be a whole number from 2 to 16');
});

test('[Z32] after a step-down, writes must succeed again within an election and 2 s', () => {
  const options = parseEnginesOptions([]);
  if (options === null) throw new Error('only the usage was asked for');
  const made = planFaults(FAULTS, 1).map(({ fault }, index) => aFault(fault, index % 2 === 0 ? 300 : 5001));
  expect(judgeRun(options, { problems: [] }, made).problems).toEqual([
    'no write for 5001 ms in a step-down, above 5000',
  ]);
});
