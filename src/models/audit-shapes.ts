import { AUDITED_ACTORS, type AuditActor, type AuditEntry } from '../domain/audit.ts';
import type { AuditId } from '../domain/ids.ts';
import { flag, id, maybe, number, omissible, oneOf, part, text, whole, word } from '../engines/shapes/fields.ts';
import { shape } from '../engines/shapes/shape.ts';
import { OWNED } from './common-fields.ts';

/** An entry. It is `due` until the chain has it. */
export type AuditRow = Omit<AuditEntry, 'id'> & { readonly _id: AuditId; readonly due?: boolean };

/** One link of the chain. `_id` is its number, from 1 without gaps. `hash` covers the link before it and the entry. */
export type LinkRow = { readonly _id: number; readonly entryId: AuditId; readonly hash: string };

export const AUDIT = shape<AuditRow>({
  name: 'audit',
  holds: 'One action of staff, an operator or a vendor. It never changes, except that it stops being due.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: { ...OWNED, orNull: ['liveMode'] },
  indexes: [
    { key: { at: -1, _id: -1 } },
    { key: { vendorId: 1, at: -1, _id: -1 } },
    { key: { 'actor.id': 1, at: -1, _id: -1 } },
    { key: { action: 1, at: -1, _id: -1 } },
    { key: { objectId: 1, at: -1, _id: -1 } },
    { key: { due: 1, _id: 1 }, partialFilterExpression: { due: true } },
  ],
  fields: {
    _id: id('aud', 'The entry’s id.'),
    at: number('When it was done, machine time in ms.'),
    actor: part<AuditActor>(
      {
        type: oneOf(AUDITED_ACTORS, 'The kind of actor.'),
        id: maybe(text('Their id: of the account or the API key, or the name of the service or operator.')),
      },
      'The person or program that did it.',
    ),
    action: word('The action. The list grows with the server.'),
    objectId: text('The id of the object.'),
    vendorId: maybe(id('ven', 'The vendor who may read the entry.')),
    liveMode: maybe(flag('The mode that it concerns; null for both.')),
    changes: whole('The changed fields, each with its value before and after. Each action has fields of its own.'),
    requestId: maybe(text('The id of the request.')),
    network: maybe(text('The network from which the request came.')),
    due: omissible(flag('True until the chain has the entry.')),
  },
});

export const AUDIT_CHAIN = shape<LinkRow>({
  name: 'audit_chain',
  holds: 'One link of the chain over the audit log, by which a changed or removed entry shows.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: { entryId: 1 } }],
  fields: {
    _id: number('The number of the link, from 1 without gaps.'),
    entryId: id('aud', 'The entry.'),
    hash: text('SHA-256 of the hash before it and the entry, in hex.'),
  },
});
