import { afterEach, expect, test } from 'vitest';
import { createCommit } from '../../src/models/commit/commit.ts';
import { until } from '../until.ts';
import { aBirth, aChange, CLOCK, SETTINGS, storeDelivery, withdrawing } from './mongo-house.ts';
import { openSetHouse } from './set-house.ts';

const house = await openSetHouse();
const { set } = house;

/** A commit whose deadline passes when the test says so. */
function heldCommit() {
  const { promise: isPassed, resolve: passDeadline } = Promise.withResolvers<void>();
  const after = (_ms: number, task: () => void) => {
    void isPassed.then(task);
    return () => undefined;
  };
  const commit = createCommit(house.mongo, { ...CLOCK, real: { ...CLOCK.real, after } }, SETTINGS);
  return { commit, passDeadline };
}

/** The rejection of a promise. */
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

afterEach(() => set.resumeReplication());

test('[S41] a change that no majority confirms in time is busy, and the caller learns that it may have been made', async () => {
  const birth = aBirth();
  const { commit, passDeadline } = heldCommit();
  await set.stopReplication();
  const refusal = refusalOf(commit(birth));
  await until(async () => (await house.deliveries.find(birth.after.id)) !== null);
  passDeadline();
  const told = await refusal;
  expect(told).toMatchObject({ code: 'busy', message: expect.stringContaining('may have been made') });
  expect(told).toMatchObject({ message: expect.stringContaining('Repeat a delay only if it names `ready_at`') });
  await set.resumeReplication();
  await until(async () => (await house.confirmed.findDelivery(birth.after.id)) !== null);
});

test('[S13] a write that only the primary has at the deadline is waited for', async () => {
  const delivery = await storeDelivery(house);
  const canceled = aChange(delivery, { state: 'canceled' }, 'canceled');
  const { commit, passDeadline } = heldCommit();
  await set.stopReplication();
  const result = commit({ ...canceled, effects: [withdrawing(delivery)] });
  await until(async () => (await house.deliveries.get(delivery.id)).state === 'canceled');
  passDeadline();
  await set.resumeReplication();
  expect(await result).toEqual({ ok: true, withdrawn: [] });
});

test('[S13] a write that only the killed primary had is refused as busy, and the next primary does not have it', async () => {
  const birth = aBirth();
  const { commit, passDeadline } = heldCommit();
  const primary = await set.waitForPrimary();
  await set.stopReplication();
  const refusal = refusalOf(commit(birth));
  await until(async () => (await house.deliveries.find(birth.after.id)) !== null);
  await set.kill(primary);
  passDeadline();
  await set.resumeReplication();
  expect(await refusal).toMatchObject({ code: 'busy' });
  // If it started before the others have elected, it would win the election, and its majority would have the change
  // after all.
  await set.waitForPrimary();
  await set.start(primary);
  await until(() => house.mongo.isReady());
  expect(await house.confirmed.findDelivery(birth.after.id)).toBeNull();
});

test('[S26] when the primary is killed, the stores continue with the next one and keep what they answered', async () => {
  const before = await storeDelivery(house);
  const killed = await set.waitForPrimary();
  await set.kill(killed);
  const storesAgain = () =>
    storeDelivery(house).then(
      () => true,
      () => false,
    );
  await until(storesAgain);
  expect(await house.deliveries.get(before.id)).toStrictEqual(before);
  await set.start(killed);
});
