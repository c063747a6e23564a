import type { AuditEntry } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import { NOON } from '../../builders.ts';

/** An entry of the audit log. */
export function anEntry(over: Partial<AuditEntry> = {}): AuditEntry {
  const by = { actor: { type: 'system', id: null }, requestId: null, network: null } as const;
  const about = { action: 'vendor.update', objectId: 'ven_1', vendorId: null, liveMode: null, changes: {} } as const;
  return { id: newId('aud'), at: NOON, ...by, ...about, ...over };
}

/** An entry that the database refuses, and with it the write that it belongs to. */
export function anUnfitEntry(entry: AuditEntry = anEntry()): AuditEntry {
  return { ...entry, at: 'noon' as never };
}

/** How the database, and our explanation of it, refuses such an entry. */
export const UNFIT = /failed validation|without the shape/;
