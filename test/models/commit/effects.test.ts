import type { mongo as engine } from 'mongoose';
import { expect, test } from 'vitest';
import { withEffects } from '../../../src/dispatch/change-delivery.ts';
import { newId, type DeliveryId } from '../../../src/domain/ids.ts';
import { createCommit } from '../../../src/models/commit/commit.ts';
import { EFFECTS, type EffectTable } from '../../../src/models/commit/effects.ts';
import { isDuplicateKey, type Mongo } from '../../../src/engines/mongo.ts';
import type { Shape } from '../../../src/engines/shapes/shape.ts';
import type { Work } from '../../../src/models/commit/work.ts';
import { NOON } from '../../builders.ts';
import {
  aBirth,
  aChange,
  claiming,
  CLOCK,
  fingerprint,
  openHouse,
  SETTINGS,
  storeCourier,
  storeDelivery,
  withdrawing,
} from '../../engines/mongo-house.ts';
import type { Change, CommitFailure, Effect, EffectKind } from '../../../src/ports/changes.ts';
import { aFile } from '../files/a-file.ts';
import { aDispute } from '../../money/disputes/a-dispute.ts';
import { aHold, aWallet } from '../../money/ledger/commands.ts';
import { CLAIMS } from '../../../src/models/claim-shape.ts';
import { REQUESTS } from '../../../src/models/request-shape.ts';

const house = await openHouse('effects');
const { mongo } = house;

type Failing = { readonly effect: Effect; readonly failure: CommitFailure; readonly on?: Mongo };

/** An effect for each way in which a row of the table can fail. The compiler demands an entry for each kind. */
async function failures(): Promise<Readonly<Record<EffectKind, readonly Failing[]>>> {
  const held = { fact: `quote:${newId('qte')}`, holder: newId('del') };
  expect(await house.commit(aBirth({}, [held]))).toMatchObject({ ok: true });
  const { id: courierId, version } = await storeCourier(house);
  const delivery = await storeDelivery(house);
  const claim = claiming({ fact: held.fact, holder: newId('del') });
  const stale = (effect: Effect) => [{ effect, failure: { why: 'stale' } }] as const;
  const request = await changedRequest(delivery.id);
  return {
    mark_request: [
      {
        effect: { kind: 'mark_request', request, deliveryId: newId('del') },
        failure: { why: 'repeated', deliveryId: delivery.id },
      },
      ...stale({ kind: 'mark_request', request: 'of a row that is gone', deliveryId: delivery.id }),
    ],
    open_delivery: stale({ kind: 'open_delivery', change: aBirth({ id: delivery.id }) }),
    take_courier: stale({ kind: 'take_courier', courierId, version: version + 1, deliveryId: delivery.id }),
    free_courier: stale({ kind: 'free_courier', courierId, deliveryId: delivery.id, at: NOON }),
    keep_courier: stale({ kind: 'keep_courier', courierId, frees: delivery.id, takes: newId('del') }),
    claim_fact: [
      { effect: claim, failure: { why: 'claimed', claim: held } },
      { effect: claim, failure: { why: 'stale' }, on: withoutClaims(mongo) },
    ],
    move_claim: stale({ kind: 'move_claim', ...held, from: newId('del') }),
    book: [
      { effect: { kind: 'book', command: aHold(newId('req'), aWallet(), 1) }, failure: { why: 'unfunded' } },
      { effect: { kind: 'book', command: aHold(newId('req'), await aFrozenWallet(), 1) }, failure: { why: 'frozen' } },
      ...stale({ kind: 'book', command: { do: 'void', holdKey: 'none', account: aWallet() } }),
    ],
    close_offers: stale({ ...withdrawing(delivery), accepted: newId('off') }),
    use_files: stale({ kind: 'use_files', fileIds: [newId('fil')], endsAt: NOON, unused: [] }),
    move_dispute: stale({ kind: 'move_dispute', next: aDispute({ version: 2 }) }),
    keep_polylines: [],
    audit: [],
  };
}

async function aFrozenWallet() {
  const account = aWallet();
  expect(await house.ledger.post({ do: 'freeze', account, isFrozen: true }, null)).toMatchObject({ ok: true });
  return account;
}

/** The key of a request that has changed this delivery. */
async function changedRequest(deliveryId: DeliveryId): Promise<string> {
  const row = { _id: newId('req'), fingerprint: '', seed: '', turn: '', leasedUntil: 0, answer: null };
  await mongo.collection(REQUESTS).insertOne({ ...row, changed: deliveryId, endsOn: new Date(NOON + 1e12) });
  return row._id;
}

/** The database after a failover that rolled the claims back before their owners could be read. */
function withoutClaims(real: Mongo): Mongo {
  const collection = <T extends engine.Document>(of: Shape<T>): engine.Collection<T> => {
    const rows = real.collection(of);
    const find = () => rows.find({ fact: 'nobody' } as object);
    return of.name === CLAIMS.name ? Object.assign(Object.create(rows) as typeof rows, { find }) : rows;
  };
  return { ...real, collection };
}

test('[S72] each kind of effect fails in the ways that its row names, and then no part of the change is stored', async () => {
  const cases = await failures();
  for (const [kind, { fails }] of Object.entries(EFFECTS)) {
    const tried = cases[kind as EffectKind];
    expect([kind, tried.map(({ failure }) => failure.why)]).toEqual([kind, fails]);
    for (const { effect, failure, on = mongo } of tried) {
      const stored = await fingerprint(house);
      const commit = createCommit(on, CLOCK, SETTINGS);
      const result = await commit({ ...aBirth(), effects: [effect] });
      expect([kind, result]).toEqual([kind, { ok: false, ...failure }]);
      expect(await fingerprint(house)).toEqual(stored);
    }
  }
});

test('[D130] the ends of files are stored with their change, or not at all', async () => {
  const [used, replaced] = [aFile(), aFile()];
  for (const file of [used, replaced]) await house.files.add(file, Buffer.from('content'));
  const endsOf = async () => {
    const found = await Promise.all([used, replaced].map(({ id }) => house.files.find(id)));
    return found.map((file) => file?.endsAt);
  };
  const [later, soon] = [NOON + 9, NOON + 1];
  const unused = [{ id: replaced.id, endsAt: soon }];
  const using = { kind: 'use_files', fileIds: [used.id], endsAt: later, unused } as const;
  const failing = { kind: 'move_dispute', next: aDispute({ version: 2 }) } as const;
  expect(await house.commit({ ...aBirth(), effects: [using, failing] })).toEqual({ ok: false, why: 'stale' });
  expect(await endsOf()).toEqual([NOON, NOON]);
  expect(await house.commit({ ...aBirth(), effects: [using] })).toMatchObject({ ok: true });
  expect(await endsOf()).toEqual([later, soon]);
});

test('[S72] if several effects fail, the failure is that of the first kind in the table', async () => {
  const { claim_fact: claims, free_courier: couriers } = await failures();
  const both = [...claims, ...couriers].map(({ effect }) => effect);
  expect(await house.commit({ ...aBirth(), effects: both })).toEqual({ ok: false, why: 'stale' });
});

/** A kind of effect that the product does not have: a reserved amount for each wallet. */
type Hold = { readonly kind: 'hold'; readonly wallet: string; readonly amount: number };
type HoldRow = { readonly _id: string; readonly amount: number };

async function placeHolds({ mongo: db, session }: Work, holds: readonly Hold[]): Promise<CommitFailure | null> {
  const rows = db.connection.collection<HoldRow>('holds');
  for (const { wallet, amount } of holds) {
    try {
      await rows.insertOne({ _id: wallet, amount }, { session });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return { why: 'claimed', claim: { fact: wallet, holder: 'another hold' } };
    }
  }
  return null;
}

test('[S72] a new kind of effect needs a row and its writer, and is then stored or refused with its change', async () => {
  const table = { ...EFFECTS, hold: { fails: ['claimed'] as const, write: placeHolds } };
  const commit = createCommit(mongo, CLOCK, SETTINGS, table);
  const hold: Hold = { kind: 'hold', wallet: newId('ven'), amount: 700 };
  // Neither the commit of the product nor its type knows this kind.
  const holding = (change: Change): Change => ({ ...change, effects: [...change.effects, hold] as Effect[] });
  const fact = { fact: `quote:${newId('qte')}`, holder: newId('del') };
  const birth = holding(aBirth({}, [fact]));
  expect(await commit(birth)).toEqual({ ok: true, withdrawn: [] });
  expect(await house.deliveries.get(birth.after.id)).toStrictEqual(birth.after);
  const rows = mongo.connection.collection<HoldRow>('holds');
  expect(await rows.find().toArray()).toEqual([{ _id: hold.wallet, amount: 700 }]);

  const stored = await fingerprint(house);
  const opened = { kind: 'open_delivery', change: holding(aBirth()) } as const;
  for (const change of [holding(aBirth()), withEffects(aChange(birth.after, { fee: 1 }), [opened])]) {
    const claim = { fact: hold.wallet, holder: 'another hold' };
    expect(await commit(change)).toEqual({ ok: false, why: 'claimed', claim });
    expect(await fingerprint(house)).toEqual(stored);
  }
});

test('[S72] the compiler refuses a table in which a kind of effect has no row', () => {
  const { claim_fact: _row, ...others } = EFFECTS;
  // @ts-expect-error the row of claim_fact is missing
  const table: EffectTable = others;
  expect(Object.keys(table)).not.toContain('claim_fact');
});
