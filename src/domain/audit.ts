import type { Caller } from './access.ts';
import type { AuditId, VendorId } from './ids.ts';

/** The people and programs whose actions are audited. `operator` is a person at the command line of the server. */
export const AUDITED_ACTORS = ['staff', 'vendor', 'courier', 'internal', 'operator', 'system'] as const;
export type AuditActorType = (typeof AUDITED_ACTORS)[number];

/**
 * The actor of an audited action. The id is that of the member of staff, the courier or the API key, or the name of the
 * service or the operator's account on their machine.
 */
export type AuditActor = { readonly type: AuditActorType; readonly id: string | null };

/** Every audited action, and what it means. The object is what `object` names. */
// One row per line: this is a table.
// oxfmt-ignore
export const AUDIT_ACTIONS = {
  'delivery.change':        { object: 'delivery', note: 'Staff created or changed a delivery. `events` lists the events that this made.' },
  'delivery.prove':         { object: 'delivery', note: 'Staff gave parts of the proof of a stop.' },
  'test.advance':           { object: 'delivery', note: 'Staff took a step of a delivery of test mode, as its robo-courier.' },
  'delivery.refund':        { object: 'delivery', note: 'Staff or a service refunded a charge or a part of it.' },
  'dispute.raise':          { object: 'dispute',  note: 'A vendor raised a dispute about the charge of a delivery.' },
  'dispute.review':         { object: 'dispute',  note: 'A member of staff took a dispute into review.' },
  'dispute.decide':         { object: 'dispute',  note: 'A member of staff accepted or rejected a dispute.' },
  'dispute.withdraw':       { object: 'dispute',  note: 'A vendor withdrew a dispute.' },
  'courier.onboard':        { object: 'courier',  note: 'A courier was onboarded.' },
  'courier.update':         { object: 'courier',  note: 'Staff or the courier changed the profile of a courier.' },
  'courier.state':          { object: 'courier',  note: 'A courier was activated or suspended. `reason` has the words of staff, or `documents`.' },
  'document.add':           { object: 'document', note: 'Staff or a service added a document of a courier.' },
  'document.review':        { object: 'document', note: 'A member of staff took a document into review.' },
  'document.decide':        { object: 'document', note: 'A member of staff approved or rejected a document.' },
  'document.expire':        { object: 'document', note: 'The last day of an approved document was over.' },
  'bank_account.set':       { object: 'courier',  note: 'The bank account of a courier was set. The entry shows the last four characters of its number.' },
  'courier.availability':   { object: 'courier',  note: 'Staff set a courier online or offline.' },
  'device.remove':          { object: 'courier',  note: 'Staff removed a phone of a courier, so that no push reaches it.' },
  'api_key.create':         { object: 'API key',  note: 'An API key was made.' },
  'api_key.rotate':         { object: 'API key',  note: 'An API key got a successor, and ends after the overlap.' },
  'api_key.revoke':         { object: 'API key',  note: 'An API key was revoked.' },
  'webhook.register':       { object: 'webhook',  note: 'A webhook was registered.' },
  'webhook.change':         { object: 'webhook',  note: 'A webhook was changed, disabled or enabled.' },
  'webhook.rotate_secret':  { object: 'webhook',  note: 'A webhook got a new secret.' },
  'webhook.remove':         { object: 'webhook',  note: 'A webhook was removed.' },
  'webhook.replay':         { object: 'webhook',  note: 'Events were made due again for a webhook.' },
  'session.end':            { object: 'account',  note: 'An admin ended the sessions of a courier or a member of staff.' },
  'staff.add':              { object: 'staff',    note: 'An account of a member of staff was added.' },
  'staff.roles':            { object: 'staff',    note: 'The roles of a member of staff were changed.' },
  'staff.reset':            { object: 'staff',    note: 'Somebody else set the password of a member of staff.' },
  'staff.password':         { object: 'staff',    note: 'A member of staff changed their own password.' },
  'staff.remove':           { object: 'staff',    note: 'An account of a member of staff was removed.' },
  'vendor.add':             { object: 'vendor',   note: 'Staff or an operator added a vendor.' },
  'vendor.update':          { object: 'vendor',   note: 'The account or the profile of a vendor was changed. `reason` has the words of staff.' },
  'vendor.hours':           { object: 'vendor',   note: 'The hours of all locations of a vendor were set.' },
  'location.add':           { object: 'location', note: 'A location was added to a vendor.' },
  'location.update':        { object: 'location', note: 'A vendor location was changed.' },
  'location.hours':         { object: 'location', note: 'The hours of a vendor location were set.' },
  'location.readiness':     { object: 'location', note: 'A vendor location was set ready or not ready.' },
  'zone.add':               { object: 'location', note: 'A zone was added to a vendor location.' },
  'zone.update':            { object: 'location', note: 'A zone of a vendor location was changed.' },
  'zone.remove':            { object: 'location', note: 'A zone of a vendor location was removed.' },
  'pricing_rule.add':       { object: 'pricing rule', note: 'A pricing rule was created.' },
  'pricing_rule.update':    { object: 'pricing rule', note: 'A pricing rule was changed.' },
  'pricing_rule.end':       { object: 'pricing rule', note: 'A pricing rule was ended.' },
  'payout.process':         { object: 'payout batch', note: 'A batch of payouts to couriers was asked for.' },
  'payout.approve':         { object: 'payout',   note: 'A second person approved a payout that waited for one.' },
  'payout.resolve':         { object: 'payout',   note: 'A person ended or declined a payout that waited for one.' },
  'top_up.refund':          { object: 'top-up refund', note: 'A member of finance asked for the refund of a top-up or of a part of it.' },
  'top_up_refund.resolve':  { object: 'top-up refund', note: 'A person ended a refund that waited for one, as paid or failed.' },
  'suspense.decide':       { object: 'suspense', note: 'A member of finance decided about money in suspense.' },
  'suspense.approve':      { object: 'suspense', note: 'A second person approved a decision about money in suspense.' },
  'adjustment.request':     { object: 'adjustment', note: 'A member of finance asked for an adjustment of a wallet.' },
  'adjustment.decide':      { object: 'adjustment', note: 'An adjustment of a wallet was approved by a second person, or rejected.' },
  'settlement.approve':     { object: 'settlement', note: 'A member of finance approved a settlement above the limit.' },
  'service_token.issue':    { object: 'service',  note: 'An operator made a token for an internal service.' },
  'wallet.freeze':          { object: 'vendor',   note: 'An operator froze the wallet of a vendor, or let it accept holds again.' },
  'wallet.adjust':          { object: 'vendor',   note: 'An operator booked an adjustment into the wallet of a vendor.' },
  'earnings.adjust':        { object: 'courier',  note: 'An operator booked an adjustment into the earnings of a courier.' },
  'demo.remove':            { object: 'demo',     note: 'An operator removed the demo.' },
  'analytics.rebuild':      { object: 'roll_ups', note: 'An operator had the roll-ups of analytics counted again.' },
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** The value of a field before and after the action; null if it had or has none. Never a secret. */
export type AuditChange = { readonly from: AuditValue; readonly to: AuditValue };
export type AuditValue = string | number | boolean | null | readonly string[];

/** An action to be audited. Its actor and its request are those of the work that it is part of. */
export type Audited = {
  readonly action: AuditAction;
  readonly objectId: string;
  /** The vendor who may read the entry; null if it concerns no vendor. */
  readonly vendorId: VendorId | null;
  /** Null if the entry concerns both modes. */
  readonly liveMode: boolean | null;
  readonly changes: Readonly<Record<string, AuditChange>>;
};

/** The origin of an action: who asked for it, in which request, and from which network. */
export type AuditOrigin = {
  readonly actor: AuditActor;
  readonly requestId: string | null;
  readonly network: string | null;
};

/** One row of the audit log. `at` is machine time in ms. */
export type AuditEntry = Audited & AuditOrigin & { readonly id: AuditId; readonly at: number };

/**
 * The actor that this caller is in the audit log. Couriers and recipients are not audited here. The use
 * cases that set a bank account or change a profile name the courier themselves.
 */
export function auditedActorOf(caller: Caller | null): AuditActor {
  if (caller === null) return { type: 'system', id: null };
  switch (caller.type) {
    case 'staff':
      return { type: 'staff', id: caller.staffId };
    case 'vendor':
      return { type: 'vendor', id: caller.keyId };
    case 'internal':
      return { type: 'internal', id: caller.service };
    case 'courier':
    case 'recipient':
      return { type: 'system', id: null };
  }
}

/** The fields that differ, each with its value before and after. A missing field counts as null. */
export function changesOf(
  before: Readonly<Record<string, AuditValue>> | null,
  after: Readonly<Record<string, AuditValue>> | null,
): Record<string, AuditChange> {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const pairs = [...names].map((name) => [name, { from: before?.[name] ?? null, to: after?.[name] ?? null }] as const);
  return Object.fromEntries(pairs.filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)));
}
