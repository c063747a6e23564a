import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { EVENTS_LOG } from '../../../src/models/deliveries/events/event-rows.ts';
import type { Change, Claim, CommitResult } from '../../../src/ports/changes.ts';
import { aBirth, openHouse, storeDelivery } from '../../engines/mongo-house.ts';

const house = await openHouse('births');
const births = (count: number): Change[] =>
  Array.from({ length: count }, () => {
    const fact = `external:${newId('ven')}:1`;
    return aBirth({}, [{ fact, holder: newId('del') }]);
  });

test('[D200] births that arrive during a commit share one transaction, and each is stored completely', async () => {
  const stream = house.mongo.collection(EVENTS_LOG).watch();
  await stream.tryNext();
  const all = births(20);
  const [first, ...others] = all;
  const early = first === undefined ? [] : [house.commit(first)];
  // The first one finds nothing under way, and is alone in its turn of the event loop.
  await new Promise((resolve) => void setImmediate(resolve));
  const results = await Promise.all([...early, ...others.map((birth) => house.commit(birth))]);
  expect(results).toEqual(all.map(() => ({ ok: true, withdrawn: [] })));
  const transactions: string[] = [];
  for (const _birth of all) {
    const { lsid, txnNumber } = await stream.next();
    transactions.push(JSON.stringify([lsid, txnNumber]));
  }
  await stream.close();
  const sizes = [...new Set(transactions)].map((one) => transactions.filter((other) => other === one).length);
  expect(sizes).toEqual([1, 19]);
  for (const { after, events, effects } of all) {
    expect(await house.deliveries.get(after.id)).toStrictEqual(after);
    expect(await house.eventLog.list(after.id, 0, 10)).toStrictEqual(events);
    for (const effect of effects) {
      if (effect.kind === 'claim_fact') {
        expect(await house.claims.find(effect.fact)).toStrictEqual({ fact: effect.fact, holder: effect.holder });
      }
    }
  }
});

test('[D201] a birth that cannot be stored keeps no other one out, and has the result that it would have alone', async () => {
  const held: Claim = { fact: `quote:${newId('qte')}`, holder: newId('del') };
  expect(await house.commit(aBirth({}, [held]))).toMatchObject({ ok: true });
  const known = await storeDelivery(house);
  const claimed = aBirth({}, [{ ...held, holder: newId('del') }]);
  const twice = aBirth({ id: known.id });
  const unfit = aBirth({ fee: 'much' as never });
  const sound = births(9);
  const all = [...sound.slice(0, 3), claimed, ...sound.slice(3, 6), twice, unfit, ...sound.slice(6)];
  const results = await Promise.allSettled(all.map((birth) => house.commit(birth)));
  const resultOf = (birth: Change): PromiseSettledResult<CommitResult> | undefined => results[all.indexOf(birth)];
  expect(resultOf(claimed)).toMatchObject({ value: { ok: false, why: 'claimed', claim: held } });
  expect(resultOf(twice)).toMatchObject({ value: { ok: false, why: 'stale' } });
  expect(resultOf(unfit)).toMatchObject({ status: 'rejected' });
  for (const birth of sound) {
    expect(resultOf(birth)).toMatchObject({ value: { ok: true } });
    expect(await house.eventLog.list(birth.after.id, 0, 10)).toStrictEqual(birth.events);
  }
  expect(await house.deliveries.get(known.id)).toStrictEqual(known);
  for (const { after } of [claimed, unfit]) {
    expect(await house.deliveries.find(after.id)).toBeNull();
    expect(await house.eventLog.list(after.id, 0, 10)).toEqual([]);
  }
});
