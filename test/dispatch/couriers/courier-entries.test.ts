import { beforeEach, expect, test } from 'vitest';
import { editCourier } from '../../../src/dispatch/couriers/edit-courier.ts';
import { onboardCourier, setCourierState } from '../../../src/dispatch/couriers/onboard-courier.ts';
import { addDocument, decideDocument } from '../../../src/dispatch/couriers/review-document.ts';
import { setAvailability } from '../../../src/dispatch/couriers/set-availability.ts';
import { settleDue } from '../../../src/dispatch/couriers/watch-documents.ts';
import type { AuditAction, AuditEntry } from '../../../src/domain/audit.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { newId } from '../../../src/domain/ids.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { anUnfitEntry, UNFIT } from '../../models/audit/an-entry.ts';
import { aFile } from '../../models/files/a-file.ts';
import { openWorld, storeCourier, type World } from '../world.ts';

const world = await openWorld('courier-entries');
const { clock } = world;
const staff = asStaff();
const DAY_MS = 86_400_000;

let courier: Courier;
beforeEach(async () => {
  courier = await storeCourier(world, { state: 'pending', availability: 'offline', vehicleType: 'bicycle' });
});

const inState = (state: 'active' | 'suspended', on: World = world) =>
  setCourierState(on, { courierId: courier.id, state }, staff);
const set = (availability: 'online' | 'offline', by: Parameters<typeof setAvailability>[2], on: World = world) =>
  setAvailability(on, { courierId: courier.id, availability }, by);
const turn = (on: World = world) => settleDue(on)(() => true);

async function approve(days: number, on: World = world) {
  const file = aFile({ kind: 'document', endsAt: clock.now() + DAY_MS });
  await world.files.add(file, Buffer.from('content'));
  const expiresOn = new Date(clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  const asked = { courierId: courier.id, type: 'id', sealedNumber: null, expiresOn, fileId: file.id } as const;
  const { id: documentId } = await addDocument(on, asked, newId('doc'), asCourier(courier));
  const verdict = { decision: 'approve', expiresOn: null, comment: null } as const;
  await decideDocument(on, { documentId, staffId: newId('stf'), ifVersion: null }, verdict);
}

/** The changes of the courier that are in the audit log, oldest first. */
async function changesNow(): Promise<AuditEntry['changes'][]> {
  const { items } = await world.audit.list({ objectId: courier.id }, { limit: 100, after: null });
  return items.map(({ changes }) => changes).toReversed();
}

/** The world whose database refuses entries of this action, as if the process died before it wrote them. */
function failing(action: AuditAction): World {
  const { audit } = world;
  const spoil = (entry: AuditEntry): AuditEntry => (entry.action === action ? anUnfitEntry(entry) : entry);
  const draft: typeof audit.draft = (audited, by) => spoil(audit.draft(audited, by));
  const draftEdit: typeof audit.draftEdit = (audited, by) => spoil(audit.draftEdit(audited, by));
  return { ...world, audit: { ...audit, draft, draftEdit } };
}

test('[A108] each change of a courier by staff or by a document has one entry with what it changed', async () => {
  await approve(10);
  await set('online', staff);
  await inState('suspended');
  await inState('active');
  await set('online', asCourier(courier));
  await clock.advance(12 * DAY_MS);
  await turn();
  await inState('suspended');
  expect(await changesNow()).toEqual([
    { state: { from: 'pending', to: 'active' }, reason: { from: null, to: 'documents' } },
    { availability: { from: 'offline', to: 'online' } },
    { state: { from: 'active', to: 'suspended' }, availability: { from: 'online', to: 'offline' } },
    { state: { from: 'suspended', to: 'active' } },
    {
      state: { from: 'active', to: 'suspended' },
      availability: { from: 'online', to: 'offline' },
      suspended_for: { from: null, to: 'documents' },
      reason: { from: null, to: 'documents' },
    },
    { suspended_for: { from: 'documents', to: null } },
  ]);
});

test('[A108] a change whose entry cannot be stored does not stand, and a repeat makes both', async () => {
  const entriesOf = async (id: Courier['id']) => {
    const { items } = await world.audit.list({ objectId: id }, { limit: 10, after: null });
    return items.map(({ action }) => action);
  };
  const id = newId('cou');
  const asked = { name: 'Ada Obi', phone: '+4915112345699', vehicleType: 'bicycle', liveMode: false } as const;
  await expect(onboardCourier(failing('courier.onboard'), asked, id)).rejects.toThrow(UNFIT);
  expect([await world.couriers.find(id), await entriesOf(id)]).toEqual([null, []]);
  // Two tries of the same request.
  for (const _ of [1, 2]) expect(await onboardCourier(world, asked, id)).toMatchObject({ id, version: 1 });
  expect(await entriesOf(id)).toEqual(['courier.onboard']);

  await expect(inState('active', failing('courier.state'))).rejects.toThrow(UNFIT);
  expect(await world.couriers.get(courier.id)).toStrictEqual(courier);
  for (const _ of [1, 2]) expect(await inState('active')).toMatchObject({ state: 'active', version: 2 });
  await expect(set('online', staff, failing('courier.availability'))).rejects.toThrow(UNFIT);
  expect(await world.couriers.get(courier.id)).toMatchObject({ availability: 'offline', version: 2 });
  for (const _ of [1, 2]) expect(await set('online', staff)).toMatchObject({ availability: 'online', version: 3 });
  expect((await entriesOf(courier.id)).toSorted()).toEqual(['courier.availability', 'courier.state']);
});

test('[A108] what a document causes is stored with its entry, or later by the next turn', async () => {
  const broken = failing('courier.state');
  await expect(approve(10, broken)).rejects.toThrow(UNFIT);
  expect(await world.couriers.get(courier.id)).toStrictEqual(courier);
  await turn();
  expect(await world.couriers.get(courier.id)).toMatchObject({ state: 'active' });
  await clock.advance(12 * DAY_MS);
  await turn(broken).catch(() => undefined);
  expect(await world.couriers.get(courier.id)).toMatchObject({ state: 'active' });
  expect(await changesNow()).toHaveLength(1);
  await clock.advance(120_000);
  await Promise.all([turn(), turn()]);
  expect(await world.couriers.get(courier.id)).toMatchObject({ state: 'suspended' });
  expect(await changesNow()).toHaveLength(2);
});

test('[A108] of changes at the same moment each that stands has its entry, and they follow each other', async () => {
  await Promise.all(
    Array.from({ length: 24 }, (_, at) =>
      at % 3 === 2 ? set('online', staff).catch(() => undefined) : inState(at % 3 === 0 ? 'active' : 'suspended'),
    ),
  );
  const after = await world.couriers.get(courier.id);
  const changes = await changesNow();
  expect(changes).toHaveLength(after.version - courier.version);
  const moves = changes.flatMap(({ state }) => state ?? []);
  // Equal times leave the order of two entries open, so only their balance is compared.
  const left = (state: string) => moves.filter(({ from }) => from === state).length;
  const reached = (state: string) => moves.filter(({ to }) => to === state).length;
  for (const state of ['pending', 'active', 'suspended']) {
    expect([state, reached(state) - left(state)]).toEqual([
      state,
      Number(after.state === state) - Number(courier.state === state),
    ]);
  }
});

test('[A132] a try that another try and a later change overtake undoes nothing and does not fail', async () => {
  await inState('active');
  const { plate = null } = courier;
  const edit = (on: World, to: string | null) => editCourier(on, courier.id, { plate: to }, staff, null);
  for (const [first, second] of [
    [(on: World) => inState('suspended', on), () => inState('active')],
    [(on: World) => set('online', staff, on), () => set('offline', staff)],
    [(on: World) => edit(on, 'B-A 1'), () => edit(world, plate)],
  ] as const) {
    const seed = newId('aud').slice('aud_'.length);
    const again = <T>(work: () => T): T => world.audit.withinTry({ seed }, work);
    let reads = 0;
    const get: World['couriers']['get'] = async (id) => {
      reads += 1;
      if (reads === 1) {
        await again(() => first(world));
        await world.audit.withinTry({ seed: newId('aud').slice('aud_'.length) }, second);
      }
      return world.couriers.get(id);
    };
    const late = await again(() => first({ ...world, couriers: { ...world.couriers, get } }));
    const { state, availability } = await world.couriers.get(courier.id);
    expect([late.state, late.availability, late.plate ?? null]).toEqual([state, availability, plate]);
    expect([state, availability]).toEqual(['active', 'offline']);
  }
});
