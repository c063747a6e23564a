import { expect, test } from 'vitest';
import type { AuditOrigin } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createAuditLog } from '../../../src/models/audit/audit-log.ts';
import { AUDIT, AUDIT_CHAIN, type AuditRow } from '../../../src/models/audit-shapes.ts';
import { verifyAudit } from '../../../src/models/audit/verify-audit.ts';
import { CLOCK, openHouse } from '../../engines/mongo-house.ts';

const { mongo } = await openHouse('audit');
const audit = createAuditLog(mongo, CLOCK);
const entries = mongo.collection(AUDIT);
const chain = mongo.collection(AUDIT_CHAIN);

const STAFF: AuditOrigin = { actor: { type: 'staff', id: newId('stf') }, requestId: 'one', network: '192.0.2.7' };
const about = { action: 'courier.state', vendorId: null, liveMode: true } as const;
const record = (objectId: string, to: string) =>
  audit.within(STAFF, () => audit.record({ ...about, objectId, changes: { state: { from: null, to } } }));

test('[A90] an entry names its actor, its request and what changed; work without a request names the system', async () => {
  const courier = newId('cou');
  await record(courier, 'active');
  await audit.record({ ...about, objectId: courier, changes: {} });
  const { items } = await audit.list({ objectId: courier }, { limit: 20, after: null });
  const [own, staffs] = items;
  expect(staffs).toMatchObject({ ...STAFF, ...about, changes: { state: { from: null, to: 'active' } } });
  expect(own).toMatchObject({ actor: { type: 'system', id: null }, requestId: null, network: null });
});

test('[A91] however many processes seal at once, the chain has each entry once and its links have no gap', async () => {
  await Promise.all(Array.from({ length: 60 }, (_, at) => record(newId('cou'), `state ${at}`)));
  const sealers = Array.from({ length: 4 }, () => createAuditLog(mongo, CLOCK));
  const isOpen = async () => (await entries.countDocuments({ due: true })) > 0;
  while (await isOpen()) await Promise.all(sealers.map((sealer) => sealer.seal(7)));
  const links = await chain.find().sort({ _id: 1 }).toArray();
  expect(links.map(({ _id }) => _id)).toEqual(links.map((_link, at) => at + 1));
  expect(new Set(links.map(({ entryId }) => entryId)).size).toBe(await entries.countDocuments());
  const last = links.at(-1);
  expect(await verifyAudit(mongo)).toEqual({ ok: true, head: { sequence: last?._id, hash: last?.hash } });
});

/** Does some harm, reads what the check says, and makes the log whole again. */
async function harmed(harm: () => Promise<unknown>, known?: Parameters<typeof verifyAudit>[1]) {
  const [rows, links] = [await entries.find().toArray(), await chain.find().toArray()];
  await harm();
  const told = await verifyAudit(mongo, known);
  await Promise.all([entries.deleteMany({}), chain.deleteMany({})]);
  await Promise.all([entries.insertMany(rows), chain.insertMany(links)]);
  expect((await verifyAudit(mongo)).ok).toBe(true);
  return told;
}

test('[A92] a changed, removed or added row is found, and the first bad link is named', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, at) => record(newId('cou'), `later ${at}`)));
  while ((await audit.seal(100)) > 0);
  const links = await chain.find().sort({ _id: 1 }).toArray();
  const [seventh, last] = [links[6], links.at(-1)];
  if (seventh === undefined || last === undefined) throw new Error('the chain is too short');
  const bad = (why: string) => ({ ok: false, sequence: 7, entryId: seventh.entryId, why });
  const _id = seventh.entryId;
  const changed = bad('The entry or its link was changed.');
  expect(await harmed(() => entries.updateOne({ _id }, { $set: { 'actor.id': newId('stf') } }))).toEqual(changed);
  expect(await harmed(() => entries.updateOne({ _id }, { $set: { at: 1 } }))).toEqual(changed);
  expect(await harmed(() => chain.updateOne({ _id: 7 }, { $set: { hash: 'x' } }))).toEqual(changed);
  expect(await harmed(() => entries.deleteOne({ _id }))).toEqual(bad('The entry of this link is missing.'));
  const gap = await harmed(() => chain.deleteOne({ _id: 7 }));
  expect(gap).toMatchObject({ ok: false, sequence: 7, why: 'This link of the chain is missing.' });
  const stray = newId('aud');
  const added = await harmed(async () => {
    const { due: _due, ...row } = (await entries.findOne({ _id })) as AuditRow;
    await entries.insertOne({ ...row, _id: stray });
  });
  expect(added).toEqual({ ok: false, sequence: null, entryId: stray, why: 'No link of the chain has this entry.' });
  const head = { sequence: last._id, hash: last.hash };
  const cut = await harmed(async () => {
    await chain.deleteOne({ _id: last._id });
    await entries.deleteOne({ _id: last.entryId });
  }, head);
  expect(cut).toMatchObject({ ok: false, sequence: last._id, why: 'The end of the chain is missing.' });
  expect(await verifyAudit(mongo, { ...head, hash: links[0]?.hash ?? '' })).toMatchObject({
    ok: false,
    why: 'The chain differs from the noted head.',
  });
});
