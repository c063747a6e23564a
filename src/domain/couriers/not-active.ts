import { Refusal, type No } from '../refusals/refusals.ts';
import type { Courier } from './courier.ts';

/** The refusal for a courier whose profile keeps them from working. */
export function notActive({ state }: Courier, missing: readonly string[] = []): No & { detail: string } {
  const detail = `The profile of the courier is \`${state}\`; only an \`active\` courier may work.`;
  const metadata = missing.length === 0 ? {} : { metadata: { missing_documents: missing } };
  return { code: 'courier_not_verified', reason: state, detail, ...metadata };
}

/**
 * Refuses a courier whom staff have suspended. They can neither log in nor report positions. A courier whose document
 * has expired can log in like a pending one, to send a new document and to finish what they carry.
 */
export function refuseSuspended(courier: Courier): void {
  if (isSuspendedByStaff(courier)) throw new Refusal(notActive(courier));
}

/** Says whether staff have suspended the courier, and not only an expired document. */
export function isSuspendedByStaff(courier: Courier | null): boolean {
  return courier?.state === 'suspended' && courier.suspendedFor !== 'documents';
}
