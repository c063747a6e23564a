import { expect, test } from 'vitest';
import { commitDecision, makeChange } from '../../../src/dispatch/change-delivery.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import type { CommitResult } from '../../../src/ports/changes.ts';
import type { Context } from '../../../src/ports/context.ts';
import { aDelivery, aMoment } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { until } from '../../until.ts';
import { commitAlone } from '../../../src/models/commit/commit-alone.ts';

const SYSTEM = { type: 'system', id: null } as const;

/** A process with a store of one delivery. Its `commit` may take a while. */
function aProcess(commit: (ctx: { delivery: Delivery }, after: Delivery) => Promise<CommitResult>) {
  const clock = handClock();
  const stored = { delivery: aDelivery() };
  const ctx = {
    clock,
    confirmed: { findDelivery: async () => stored.delivery } as Partial<Context['confirmed']> as Context['confirmed'],
    deliveries: { get: async () => stored.delivery } as Partial<Context['deliveries']> as Context['deliveries'],
    notices: { offerWithdrawn: () => undefined } as Partial<Context['notices']> as Context['notices'],
    commit: commitAlone(({ after }) => commit(stored, after)),
  };
  const change = () =>
    commitDecision(ctx, stored.delivery.id, (before) =>
      makeChange(before, before, [{ type: 'delivery.updated', actor: SYSTEM }], aMoment(clock.now())),
    );
  return { clock, stored, change };
}

test('[D46] a process commits the changes of one delivery one at a time, each on the result of the last', async () => {
  let running = 0;
  const { change, stored } = aProcess(async (store, after) => {
    expect((running += 1)).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    store.delivery = after;
    return { ok: true, withdrawn: [] };
  });
  const versions = (await Promise.all(Array.from({ length: 20 }, change))).map(({ version }) => version);
  expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  expect(stored.delivery.sequence).toBe(stored.delivery.version);
});

test('[D47] while a change hangs until the deadline, the process begins no other change of that delivery', async () => {
  let begun = 0;
  const { change, clock } = aProcess(async () => {
    begun += 1;
    await clock.sleep(5000);
    throw new Refusal('busy');
  });
  const all = Promise.allSettled(Array.from({ length: 20 }, change));
  await until(() => begun === 1);
  await clock.advance(5000);
  const ends = await all;
  expect(ends.every((end) => end.status === 'rejected' && (end.reason as Refusal).code === 'busy')).toBe(true);
  expect(begun).toBe(1);
});
