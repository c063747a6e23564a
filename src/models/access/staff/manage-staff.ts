import { hash } from '@node-rs/argon2';
import type { mongo as engine } from 'mongoose';
import { changesOf, type AuditAction } from '../../../domain/audit.ts';
import { newId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../../engines/pages.ts';
import type { AuditLog, StaffDirectory, StaffMember } from '../../../ports/access.ts';
import type { Page, PageRequest } from '../../../ports/pages.ts';
import type { Clock } from '../../../ports/process.ts';
import { storeEntries } from '../../store-entries.ts';
import { transactAlone } from '../../transact-alone.ts';
import { STAFF, type StaffRow } from '../credential-shapes.ts';
import { normalized } from './staff-accounts.ts';

type Needs = {
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly audit: Pick<AuditLog, 'draft' | 'draftEdit' | 'isEdited'>;
  /** Ends all sessions of an account and returns their number. */
  readonly endSessions: (email: string) => Promise<number>;
};

type Facts = Parameters<typeof changesOf>[0];
type Edit = {
  readonly action: AuditAction;
  readonly sets: Partial<Pick<StaffRow, 'passwordHash' | 'roles' | 'removedAt'>>;
  readonly facts: Facts;
};

const ALIVE = { removedAt: { $exists: false } } as const;

/**
 * Adds, changes and removes staff. One change runs at a time, so that an admin is left whatever two admins do at once.
 * Every change ends the sessions of the account: they cannot be refreshed, and their access tokens end.
 */
export function manageStaff(needs: Needs): StaffDirectory {
  const { mongo, clock, endSessions } = needs;
  const rows = mongo.collection(STAFF);
  const edit = async (row: StaffRow, change: Edit): Promise<StaffMember & { endedSessions: number }> => {
    const after = await transactAlone(mongo, clock, 'staff', (session) => write(needs, row._id, change, session));
    return { ...memberOf(after), endedSessions: await endSessions(row._id) };
  };
  const live = async (wanted: Partial<Pick<StaffRow, '_id' | 'staffId'>>): Promise<StaffRow> => {
    const row = await rows.findOne({ ...wanted, ...ALIVE });
    if (row === null) throw new Refusal('staff_not_found');
    return row;
  };
  const setPassword = async (row: StaffRow, password: string, action: AuditAction) =>
    edit(row, { action, sets: { passwordHash: await hash(password) }, facts: null });
  const endRemoved = async (wanted: Partial<Pick<StaffRow, '_id' | 'staffId'>>): Promise<StaffRow | null> => {
    const row = await rows.findOne({ ...wanted, removedAt: { $exists: true } });
    if (row !== null) await endSessions(row._id);
    return row;
  };
  return {
    add: async ({ email, password, roles }, staffId = newId('stf')) => {
      const passwordHash = await hash(password);
      const made = { _id: normalized(email), staffId, passwordHash, roles, createdAt: clock.real.now() };
      const row = await transactAlone(mongo, clock, 'staff', (session) => insert(needs, made, session));
      return row === null ? null : memberOf(row);
    },
    get: async (id) => memberOf(await live({ staffId: id })),
    find: async (email) => {
      const row = await rows.findOne({ _id: normalized(email), ...ALIVE });
      return row === null ? null : memberOf(row);
    },
    list: (page) => list(mongo, page),
    setRoles: async (id, roles) =>
      edit(await live({ staffId: id }), { action: 'staff.roles', sets: { roles }, facts: null }),
    reset: async (id, password) => setPassword(await live({ staffId: id }), password, 'staff.reset'),
    setPassword: async (id, password) => setPassword(await live({ staffId: id }), password, 'staff.password'),
    replace: async ({ email, password, roles }) => {
      const row = await rows.findOne({ _id: normalized(email), ...ALIVE });
      if (row === null) return null;
      return edit(row, { action: 'staff.reset', sets: { passwordHash: await hash(password), roles }, facts: null });
    },
    remove: async (id) => {
      // An earlier try may have been cut off before it ended the sessions.
      await endRemoved({ staffId: id });
      const sets = { passwordHash: '', roles: [], removedAt: clock.real.now() };
      await edit(await live({ staffId: id }), { action: 'staff.remove', sets, facts: { removed: true } });
    },
    endRemoved: async (email) => (await endRemoved({ _id: normalized(email) }))?.staffId ?? null,
  };
}

/** Inserts an account, in place of a removed one with the same e-mail. Returns null if the e-mail has an account. */
async function insert(
  needs: Needs,
  made: Omit<StaffRow, 'resets' | 'removedAt'>,
  session: engine.ClientSession,
): Promise<StaffRow | null> {
  const rows = needs.mongo.collection(STAFF);
  const known = await rows.findOne({ _id: made._id }, { session });
  // An earlier try of the same request has made the account.
  if (known?.staffId === made.staffId) return known;
  if (known !== null && known.removedAt === undefined) return null;
  // The count goes on, so that no session of the removed account belongs to this one.
  const row: StaffRow = { ...made, roles: [...made.roles], resets: known === null ? 0 : (known.resets ?? 0) + 1 };
  await rows.replaceOne({ _id: row._id }, row, { session, upsert: true });
  await record(needs, session, row, 'staff.add', changesOf(null, { email: row._id, roles: row.roles }));
  return row;
}

/** Writes an edit of an account that still exists, unless no admin would be left. */
async function write(
  needs: Needs,
  email: string,
  { action, sets, facts }: Edit,
  session: engine.ClientSession,
): Promise<StaffRow> {
  const rows = needs.mongo.collection(STAFF);
  const before = await rows.findOne({ _id: email, ...ALIVE }, { session });
  if (before === null) throw new Refusal('staff_not_found');
  if (await needs.audit.isEdited()) return before;
  if (before.roles.includes('admin') && sets.roles !== undefined && !sets.roles.includes('admin')) {
    const others = { roles: 'admin' as const, _id: { $ne: email } };
    if ((await rows.countDocuments(others, { session, limit: 1 })) === 0) throw new Refusal('last_admin');
  }
  const roles = sets.roles === undefined ? {} : { roles: [...sets.roles] };
  await rows.updateOne({ _id: email }, { $set: { ...sets, ...roles }, $inc: { resets: 1 } }, { session });
  const after = { ...before, ...sets };
  const changes = { ...changesOf({ roles: before.roles }, { roles: after.roles }), ...changesOf(null, facts) };
  const { staffId: objectId } = after;
  const entry = needs.audit.draftEdit({ action, objectId, vendorId: null, liveMode: null, changes });
  await storeEntries(needs.mongo, [entry], { session });
  return after;
}

function record(
  { mongo, audit }: Needs,
  session: engine.ClientSession,
  { staffId }: StaffRow,
  action: AuditAction,
  changes: ReturnType<typeof changesOf>,
): Promise<void> {
  const entry = audit.draft({ action, objectId: staffId, vendorId: null, liveMode: null, changes });
  return storeEntries(mongo, [entry], { session });
}

async function list(mongo: Mongo, { limit, after }: PageRequest): Promise<Page<StaffMember>> {
  const order = { staffId: -1 } as const;
  const rows = await mongo
    .collection(STAFF)
    .find({ ...rowsAfter(after, order), ...ALIVE })
    .sort(order)
    .limit(limit + 1)
    .toArray();
  return pageOf(rows.map(memberOf), limit, ({ id }) => ({ at: 0, id }));
}

function memberOf({ _id, staffId, roles, createdAt }: StaffRow): StaffMember {
  return { id: staffId, email: _id, roles, createdAt: createdAt ?? null };
}
