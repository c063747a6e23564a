import type { mongo as engine } from 'mongoose';
import { changesOf, type AuditAction, type Audited, type AuditValue } from '../../domain/audit.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { transact } from '../../engines/transact.ts';
import type { Mongo } from '../../engines/mongo.ts';
import type { AuditLog } from '../../ports/access.ts';
import type { Clock } from '../../ports/process.ts';
import type { Registration, RegistrationOwner, WebhookStore } from '../../ports/webhooks.ts';
import { CLAIMS } from '../claim-shape.ts';
import { storeEntries } from '../store-entries.ts';
import { listPlaces } from './places-of-vendor.ts';
import { registrationOf, sealSecret } from './webhook-rows.ts';
import { REGISTRATIONS, type RegistrationRow } from './webhook-shapes.ts';

export type Managing = {
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly key: Buffer;
  readonly audit: Pick<AuditLog, 'draft' | 'draftEdit' | 'isEdited'>;
};

type Plan = (before: RegistrationRow) => {
  readonly update: engine.UpdateFilter<RegistrationRow>;
  readonly changed: Readonly<Record<string, AuditValue>>;
} | null;
type Managed = Pick<WebhookStore, 'find' | 'change' | 'rotateSecret' | 'remove' | 'disable'>;

/** Reads and changes registrations. Each change of a vendor is written together with its entry of the audit log. */
export function manageWebhooks(needs: Managing): Managed {
  const { mongo, clock, audit } = needs;
  const rows = mongo.collection(REGISTRATIONS);
  /** Writes what `plan` makes of the row; null leaves it as it is. */
  const edit = (owner: RegistrationOwner, action: AuditAction, plan: Plan): Promise<Registration | null> =>
    transact(mongo, clock, async (session) => {
      const before = await rows.findOne(keyOf(owner), { session });
      if (before === null) return null;
      if (await audit.isEdited()) return registrationOf((await rows.findOne(keyOf(owner))) ?? before);
      const planned = plan(before);
      if (planned === null) return registrationOf(before);
      const options = { session, returnDocument: 'after' } as const;
      const after = (await rows.findOneAndUpdate(keyOf(owner), planned.update, options)) ?? before;
      const changes = { ...changesOf(factsOf(before), factsOf(after)), ...changesOf(null, planned.changed) };
      await storeEntries(mongo, [audit.draftEdit(auditedOf(owner, action, changes))], { session });
      return registrationOf(after);
    });
  return {
    find: async (owner) => {
      const row = await rows.findOne(keyOf(owner));
      return row === null ? null : registrationOf(row);
    },
    change: (owner, { url, events, description, ordering, isEnabled }) => {
      const sets = {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events: [...events] }),
        ...(description === undefined ? {} : { description }),
        ...(ordering === undefined ? {} : { ordering }),
        ...(isEnabled === false ? { disabled: { at: clock.now(), reason: 'disabled by the vendor' } } : {}),
      };
      const update = {
        ...(Object.keys(sets).length === 0 ? {} : { $set: sets }),
        ...(isEnabled === true ? { $unset: { disabled: '' as const } } : {}),
      };
      const isEmpty = Object.keys(update).length === 0;
      return edit(owner, 'webhook.change', () => (isEmpty ? null : { update, changed: {} }));
    },
    rotateSecret: (owner, secret, overlapMs) =>
      edit(owner, 'webhook.rotate_secret', (before) => rotation(needs, before, secret, overlapMs)),
    remove: (owner) =>
      transact(mongo, clock, async (session) => {
        const row = await rows.findOneAndDelete(keyOf(owner), { session });
        if (row === null) return false;
        const { vendorId, liveMode } = owner;
        const place = { _id: { $in: listPlaces(vendorId, liveMode) }, holder: row._id };
        await mongo.collection(CLAIMS).deleteMany(place, { session });
        await record(needs, session, owner, 'webhook.remove', changesOf(factsOf(row), null));
        return true;
      }),
    disable: async ({ id, vendorId, url }, reason) =>
      void (await rows.updateOne(
        { _id: id, vendorId, url, disabled: { $exists: false } },
        { $set: { disabled: { at: clock.now(), reason } } },
      )),
  };
}

/** Replaces the secret, and lets the one before sign until the overlap has passed. */
function rotation(
  { clock, key }: Managing,
  before: RegistrationRow,
  secret: string,
  overlapMs: number,
): ReturnType<Plan> {
  const now = clock.real.now();
  if (overlapMs > 0) refuseOverlap(before, now);
  const until = now + overlapMs;
  const sets = { sealedSecret: sealSecret(key, secret), oldSecret: { sealed: before.sealedSecret, until } };
  return { update: { $set: sets }, changed: { old_secret_until: new Date(until).toISOString() } };
}

/** Refuses `webhook_secret_overlap` while the old secret still signs: there is room for one, and it was promised its time. */
function refuseOverlap({ oldSecret }: RegistrationRow, now: number): void {
  if (oldSecret === undefined || oldSecret.until <= now) return;
  const until = new Date(oldSecret.until).toISOString();
  const detail =
    `The secret was rotated already, and the one before signs until ${until}. Rotate it after that time, or with ` +
    '`overlap_hours: 0`, which ends all earlier secrets at once.';
  throw new Refusal('webhook_secret_overlap', { detail, metadata: { old_secret_until: until } });
}

/** The filter of one registration of a vendor and mode. */
function keyOf({ id, vendorId, liveMode }: RegistrationOwner) {
  return { _id: id, vendorId, liveMode };
}

function factsOf(row: RegistrationRow): Record<string, AuditValue> {
  const { url, events, description, ordering } = registrationOf(row);
  return { url, events, description, ordering, disabled: row.disabled?.reason ?? null };
}

/** Stores the entry of a change. */
export function record(
  { mongo, audit }: Pick<Managing, 'mongo' | 'audit'>,
  session: engine.ClientSession,
  owner: RegistrationOwner,
  action: AuditAction,
  changes: Audited['changes'],
): Promise<void> {
  return storeEntries(mongo, [audit.draft(auditedOf(owner, action, changes))], { session });
}

function auditedOf(
  { id, vendorId, liveMode }: RegistrationOwner,
  action: AuditAction,
  changes: Audited['changes'],
): Audited {
  return { action, objectId: id, vendorId, liveMode, changes };
}
