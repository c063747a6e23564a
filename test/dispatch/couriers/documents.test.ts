import { beforeEach, expect, test } from 'vitest';
import {
  addDocument,
  decideDocument,
  reviewDocument,
  type Verdict,
} from '../../../src/dispatch/couriers/review-document.ts';
import { setCourierState } from '../../../src/dispatch/couriers/onboard-courier.ts';
import { setAvailability } from '../../../src/dispatch/couriers/set-availability.ts';
import { settleDocument } from '../../../src/dispatch/couriers/settle-document.ts';
import { settleDue } from '../../../src/dispatch/couriers/watch-documents.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { DOCUMENT_TYPES, moveDocument, type DocumentType } from '../../../src/domain/couriers/document.ts';
import { newId, type DocumentId } from '../../../src/domain/ids.ts';
import { aFile } from '../../models/files/a-file.ts';
import { aDocument } from '../../models/couriers/a-document.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { codeOf, openWorld, storeCourier } from '../world.ts';
import { DOCUMENTS } from '../../../src/models/couriers/document-store.ts';
import { until } from '../../until.ts';
import { anEntry } from '../../models/audit/an-entry.ts';

const world = await openWorld('documents');
const { clock } = world;
const staff = newId('stf');
const DAY_MS = 86_400_000;
const APPROVE: Verdict = { decision: 'approve', expiresOn: null, comment: null };
const REJECT: Verdict = { decision: 'reject', reason: 'unreadable', comment: null };
const inDays = (days: number): string => new Date(clock.now() + days * DAY_MS).toISOString().slice(0, 10);

let courier: Courier;
beforeEach(async () => {
  courier = await storeCourier(world, { state: 'pending', availability: 'offline', vehicleType: 'scooter' });
});

async function send(type: DocumentType = 'id', expiresOn = inDays(400)): Promise<DocumentId> {
  const file = aFile({ kind: 'document', endsAt: clock.now() + DAY_MS });
  await world.files.add(file, Buffer.from('content'));
  const asked = { courierId: courier.id, type, sealedNumber: null, expiresOn, fileId: file.id };
  return (await addDocument(world, asked, newId('doc'), asCourier(courier))).id;
}
const decide = (documentId: DocumentId, verdict: Verdict = APPROVE, by = staff) =>
  decideDocument(world, { documentId, staffId: by, ifVersion: null }, verdict);
const approve = async (type: DocumentType, expiresOn?: string) => decide(await send(type, expiresOn));
const approveAll = async (expiresOn?: string) => {
  for (const type of DOCUMENT_TYPES) await approve(type, expiresOn);
};
const stateNow = async () => {
  const { state, suspendedFor = null } = await world.couriers.get(courier.id);
  return [state, suspendedFor];
};
const statusOf = async (id: DocumentId) => (await world.documents.find(id))?.status;
const turn = () => settleDue(world)(() => true);

test('[D180] a new document replaces an open one of its type, and no other', async () => {
  const [first, other] = [await send('id'), await send('license')];
  const second = await send('id');
  expect(await world.documents.find(first)).toMatchObject({ status: 'rejected', reason: 'replaced', version: 2 });
  expect([await statusOf(other), await statusOf(second)]).toEqual(['pending', 'pending']);
  const many = await Promise.all(Array.from({ length: 8 }, () => send('id')));
  const left = await Promise.all(many.map(statusOf));
  expect(left.filter((status) => status === 'pending')).toHaveLength(1);
  expect(await codeOf(decide(first))).toBe('document_decided');
});

test('[D181] of two reviewers who decide at once, one wins, and the winner can repeat the decision', async () => {
  const id = await send();
  const others = Array.from({ length: 6 }, () => newId('stf'));
  const results = await Promise.allSettled(others.map((by, at) => decide(id, at % 2 === 0 ? APPROVE : REJECT, by)));
  const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(winners).toHaveLength(1);
  const [won] = winners;
  const [verdict, other] = won?.status === 'approved' ? [APPROVE, REJECT] : [REJECT, APPROVE];
  const winner = won?.reviewerId ?? staff;
  expect(await decide(id, verdict, winner)).toMatchObject({ version: won?.version });
  expect(await codeOf(decide(id, verdict))).toBe('document_decided');
  expect(await codeOf(decide(id, other, winner))).toBe('document_decided');
});

test('[D181] a document in review belongs to one reviewer, and everybody may decide it', async () => {
  const documentId = await send();
  const review = (staffId = staff) => reviewDocument(world, { documentId, staffId, ifVersion: null });
  expect(await review()).toMatchObject({ status: 'in_review', reviewerId: staff, version: 2 });
  expect(await review()).toMatchObject({ version: 2 });
  expect(await codeOf(review(newId('stf')))).toBe('document_decided');
  expect(await codeOf(decideDocument(world, { documentId, staffId: staff, ifVersion: 1 }, APPROVE))).toBe(
    'stale_version',
  );
  expect(await decide(documentId, REJECT, newId('stf'))).toMatchObject({ status: 'rejected', reason: 'unreadable' });
});

test('[D182] a pending courier becomes active with the last document that their vehicle needs', async () => {
  await approve('id');
  await approve('license');
  expect(await stateNow()).toEqual(['pending', null]);
  await approve('vehicle_insurance');
  expect(await stateNow()).toEqual(['active', null]);
  courier = await storeCourier(world, { state: 'pending', availability: 'offline', vehicleType: 'bicycle' });
  await approve('license');
  expect(await stateNow()).toEqual(['pending', null]);
  await approve('id');
  expect(await stateNow()).toEqual(['active', null]);
});

test('[D182] no document undoes a suspension by staff, also one that began with an expired document', async () => {
  const suspend = () => setCourierState(world, { courierId: courier.id, state: 'suspended' }, asStaff());
  await suspend();
  await approveAll(inDays(10));
  expect(await stateNow()).toEqual(['suspended', null]);
  await setCourierState(world, { courierId: courier.id, state: 'active' }, asStaff());
  await clock.advance(11 * DAY_MS);
  await turn();
  expect(await stateNow()).toEqual(['suspended', 'documents']);
  await suspend();
  expect(await stateNow()).toEqual(['suspended', null]);
  await approveAll();
  expect(await stateNow()).toEqual(['suspended', null]);
});

test('[D183] the end of its last day expires a document and suspends the courier, and a new one lifts that', async () => {
  await approve('id');
  await approve('vehicle_insurance');
  const license = await approve('license', inDays(40));
  const online = { courierId: courier.id, availability: 'online' } as const;
  await setAvailability(world, online, asStaff());
  await clock.advance(40 * DAY_MS - 12 * 3_600_000);
  await turn();
  expect([await statusOf(license.id), await stateNow()]).toEqual(['approved', ['active', null]]);
  await clock.advance(DAY_MS);
  // Two processes at once, as after a lease that changed hands.
  await Promise.all([turn(), turn()]);
  expect([await statusOf(license.id), await stateNow()]).toEqual(['expired', ['suspended', 'documents']]);
  expect(await world.couriers.get(courier.id)).toMatchObject({ availability: 'offline' });
  expect(await codeOf(setAvailability(world, online, asStaff()))).toBe('courier_not_verified');
  await approve('license');
  expect(await stateNow()).toEqual(['active', null]);
});

test('[D183] a document of the same type that is still valid keeps the courier active', async () => {
  await approveAll(inDays(20));
  for (const type of ['id', 'license'] as const) await approve(type, inDays(500));
  await approve('vehicle_insurance', inDays(500));
  await clock.advance(22 * DAY_MS);
  await turn();
  expect(await stateNow()).toEqual(['active', null]);
  expect(await world.documents.listApproved(courier.id)).toHaveLength(3);
});

test('[D183] of many approved documents of a type the one that is valid longest counts', async () => {
  await approve('license');
  await approve('vehicle_insurance');
  const many = Array.from({ length: 120 }, (_, at) =>
    // The longest is neither the first nor the last of them.
    aDocument({ courierId: courier.id, status: 'approved', expiresOn: inDays(at === 60 ? 30 : -at - 1) }),
  );
  await world.mongo.collection(DOCUMENTS).insertMany(many.map((one) => ({ _id: one.id, ...one, dueAt: null })));
  const approved = await world.documents.listApproved(courier.id);
  expect(approved.map(({ type }) => type)).toEqual(DOCUMENT_TYPES);
  expect(approved[0]).toStrictEqual(many[60]);
});

test('[D184] a courier is warned once, 30 days before, unless a newer document is valid longer', async () => {
  const about = () => world.push.sent.filter(({ courierId }) => courierId === courier.id);
  const first = await approve('id', inDays(60));
  await clock.advance(30 * DAY_MS);
  await turn();
  expect(about()).toEqual([]);
  await clock.advance(DAY_MS);
  await turn();
  await settleDocument(world, first.id);
  await turn();
  expect(about()).toMatchObject([{ documentId: first.id }]);
  await approve('license', inDays(29));
  expect(about()).toHaveLength(2);
  await approve('vehicle_insurance', inDays(40));
  await approve('vehicle_insurance', inDays(400));
  await clock.advance(12 * DAY_MS);
  await turn();
  expect(about()).toHaveLength(2);
});

test('[D184] a warning that cannot be sent does not fail the approval behind it', async () => {
  const push = { send: () => Promise.reject(new Error('the push service answered 503')) };
  const documentId = await send('id', inDays(20));
  const decided = await decideDocument({ ...world, push }, { documentId, staffId: staff, ifVersion: null }, APPROVE);
  expect(decided).toMatchObject({ status: 'approved', warnedAt: clock.now() });
  await until(() => world.log.lines.at(-1)?.level === 'warn');
  expect(world.log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { courier: courier.id } });
  expect(await world.documents.listDue(clock.now(), 100)).toEqual([]);
});

test('[D184] a push service that never answers holds up no approval', async () => {
  const push = { send: () => new Promise<never>(() => {}) };
  const documentId = await send('license', inDays(20));
  const decided = await decideDocument({ ...world, push }, { documentId, staffId: staff, ifVersion: null }, APPROVE);
  expect(decided).toMatchObject({ status: 'approved', warnedAt: clock.now() });
});

test('[D185] a turn finishes what a crash has cut short after a decision', async () => {
  await approve('id');
  await approve('license');
  const id = await send('vehicle_insurance');
  const before = await world.documents.find(id);
  if (before === null) throw new Error('the document is there');
  // The process is killed right after this write.
  const after = moveDocument(before, 'approve', { decidedAt: clock.now(), reviewerId: staff });
  expect(await world.documents.replace(after, clock.now(), anEntry())).toBe(true);
  expect(await stateNow()).toEqual(['pending', null]);
  await turn();
  expect(await stateNow()).toEqual(['active', null]);
  expect(await world.documents.listDue(clock.now(), 100)).toEqual([]);
});

test('[D186] the file of an open or approved document stays, and others end some time after their decision', async () => {
  const endOf = async (id: DocumentId) => {
    const document = await world.documents.find(id);
    return (await world.files.find(document?.fileId ?? 'fil_0'))?.endsAt;
  };
  const { documentMs, orphanMs } = world.settings.files;
  const replaced = await send('id');
  const open = await send('id');
  await turn();
  expect([await endOf(open), await endOf(replaced)]).toEqual([null, clock.now() + orphanMs]);
  await decide(open);
  expect(await endOf(open)).toBeNull();
  const rejected = await send('license');
  await decide(rejected, REJECT);
  expect(await endOf(rejected)).toBe(clock.now() + documentMs);
  const row = await world.mongo.db.collection('documents').findOne({ id: rejected });
  expect(row?.['endsOn']).toBeInstanceOf(Date);
  expect(await world.mongo.db.collection('documents').countDocuments({ id: open, endsOn: { $exists: true } })).toBe(0);
});

test('[D186] a process that looked before a rejection does not keep the file for ever', async () => {
  const id = await send('license');
  const before = await world.documents.find(id);
  await decide(id, REJECT);
  const reads = [before];
  const find = async (of: DocumentId) => reads.pop() ?? world.documents.find(of);
  await settleDocument({ ...world, documents: { ...world.documents, find } }, id);
  const file = await world.files.find(before?.fileId ?? 'fil_0');
  expect(file?.endsAt).toBe(clock.now() + world.settings.files.documentMs);
});
