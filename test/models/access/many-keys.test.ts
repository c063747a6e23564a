import { expect, test } from 'vitest';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { VENDOR_KEYS, type KeyRow } from '../../../src/models/access/credential-shapes.ts';
import { preparedEngines } from '../../database.ts';
import { captureCommands, explain, type Cost } from '../explain/captured.ts';
import { aDoor } from './credentials-house.ts';

const engines = await preparedEngines('many-keys');
const monitored = `${engines.mongoUrl}${engines.mongoUrl.includes('?') ? '&' : '?'}monitorCommands=true`;
const HOUR_MS = 3_600_000;
const KEPT = 1000;
const START = Date.now() - HOUR_MS;

/** Stores keys of a vendor in live mode that have ended, half of them by themselves. Returns their ids, oldest first. */
async function storeEnded(mongo: Mongo, vendorId: VendorId, count: number) {
  const rows = Array.from({ length: count }, (_, at): KeyRow => {
    const end = at % 2 === 0 ? { revokedAt: START + at } : { revokedAt: null, expiresAt: START + at };
    const owner = { vendorId, liveMode: true, prefix: 'dsk_live', last4: 'abcd' };
    const endsOn = new Date(START + 90 * 24 * HOUR_MS);
    return { _id: `${vendorId} ${at}`, keyId: newId('key'), ...owner, createdAt: START + at, ...end, endsOn };
  });
  await mongo.collection(VENDOR_KEYS).insertMany(rows);
  return rows.map(({ keyId }) => keyId);
}

const asked = (vendorId: VendorId, expiresAt: number | null = null) =>
  ({ vendorId, liveMode: true, name: null, scopes: ['deliveries:read'], expiresAt }) as const;

test('[A115] a new key is counted without a read of the keys that have ended', async () => {
  const { credentials, mongo } = await aDoor({ ...engines, mongoUrl: monitored });
  const vendorId = newId('ven');
  await storeEnded(mongo, vendorId, KEPT - 10);
  await credentials.apiKeys.create(asked(vendorId));
  const capture = captureCommands(mongo);
  await credentials.apiKeys.create(asked(vendorId, Date.now() + HOUR_MS));
  const costs: Cost[] = [];
  for (const command of capture.taken()) costs.push(...(await explain(mongo, command)));
  const own = costs.filter(({ collection }) => collection === VENDOR_KEYS.name);
  expect(own.map(({ name }) => name)).toContain('aggregate');
  // Two have not ended, as the explanation also counts the key that was just made. Each range of the index is left at one key more.
  expect(own.filter(({ docs }) => docs > 4)).toEqual([]);
});

test('[A116] rows of ended keys beyond the newest 1,000 are deleted with the next key, the oldest first', async () => {
  const { credentials, mongo } = await aDoor(engines);
  const { apiKeys } = credentials;
  const vendorId = newId('ven');
  const [stranger, other] = [newId('ven'), newId('ven')];
  const rows = mongo.collection(VENDOR_KEYS);
  const first = (await apiKeys.create(asked(vendorId))).apiKey;
  await rows.updateOne({ keyId: first.id }, { $set: { createdAt: START - 1 } });
  const ended = await storeEnded(mongo, vendorId, KEPT + 150);
  await storeEnded(mongo, stranger, 10);
  const idsOf = async (owner: VendorId) => (await rows.find({ vendorId: owner }).toArray()).map(({ keyId }) => keyId);
  const second = (await apiKeys.create(asked(vendorId))).apiKey;
  expect(new Set(await idsOf(vendorId))).toEqual(new Set([first.id, ...ended.slice(100), second.id]));
  // The oldest key has not ended, and stays valid for its overlap although it is rotated.
  const third = (await apiKeys.rotate(first, HOUR_MS)).apiKey;
  expect(new Set(await idsOf(vendorId))).toEqual(new Set([first.id, ...ended.slice(151), second.id, third.id]));
  expect(await apiKeys.find(first.id)).toMatchObject({ replacedBy: third.id });
  expect(await credentials.listEnded([first.id])).toEqual(new Set());
  expect([(await idsOf(stranger)).length, (await idsOf(other)).length]).toEqual([10, 0]);
});
