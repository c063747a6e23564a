// Reads the money of deliveries and checks the whole ledger, in the database of the servers.
import { openMongo, type Mongo } from '../../../src/engines/mongo.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import { EXACT } from '../../../src/engines/shapes/fields.ts';
import { ENTRIES, HOLDS, type EntryRow } from '../../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import type { LedgerCheck } from '../../../src/money/ledger/check.ts';
import type { DeliveryId } from '../../../src/domain/ids.ts';
import { chargedOf } from '../../../src/domain/pricing/funds.ts';
import type { TrueMoney } from './money.ts';
import { QUIET } from '../../quiet.ts';

/** Deliveries in one read. */
const BATCH = 200;

/** The money of deliveries by their ids, and the result of the check. */
export type MoneyRead = { readonly money: ReadonlyMap<string, TrueMoney>; readonly check: LedgerCheck };

/** Reads the money of these deliveries. Those that were made without money are absent. */
export async function readMoney(mongoUrl: string, ids: readonly string[]): Promise<MoneyRead> {
  const mongo = await openMongo(mongoUrl, QUIET);
  try {
    const money = new Map<string, TrueMoney>();
    for (let from = 0; from < ids.length; from += BATCH)
      for (const [id, one] of await readSome(mongo, ids.slice(from, from + BATCH) as DeliveryId[])) money.set(id, one);
    return { money, check: await verifyLedger(mongo, () => undefined) };
  } finally {
    await mongo.close();
  }
}

async function readSome(mongo: Mongo, some: readonly DeliveryId[]): Promise<[string, TrueMoney][]> {
  const deliveries = await mongo
    .collection(DELIVERIES)
    .find({ _id: { $in: [...some] } })
    .toArray();
  const entries = await mongo
    .collection(ENTRIES)
    .find({ _id: { $in: some.map((id) => `charge:${id}`) } }, EXACT)
    .toArray();
  const keys = deliveries.flatMap(({ funds }) => (funds === undefined ? [] : [funds.holdKey]));
  const holds = await mongo
    .collection(HOLDS)
    .find({ _id: { $in: keys } }, EXACT)
    .toArray();
  const entryOf = new Map(entries.map((entry) => [entry.about, entry]));
  const holdOf = new Map(holds.map(({ _id, state }) => [_id, state]));
  return deliveries.flatMap(({ id, fee, tip = 0, funds }): [string, TrueMoney][] => {
    if (funds === undefined) return [];
    const { shares, taxRateBp, courierShareBp, holdKey, charges } = funds;
    const charged = charges === undefined ? null : chargedOf(charges);
    const rates = { platform: shares.platform, taxRateBp, courierShareBp };
    const hold = holdOf.get(holdKey) ?? null;
    return [[id, { fee, tip, ...rates, charged, hold, postings: postingsOf(entryOf.get(id)) }]];
  });
}

function postingsOf(entry: EntryRow | undefined): TrueMoney['postings'] {
  return (entry?.postings ?? []).map(({ account, amount }) => {
    const [kind = '', owner = ''] = account.split(':');
    return { kind, owner, amount: Number(amount) };
  });
}
