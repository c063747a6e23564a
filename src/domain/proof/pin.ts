import type { Stop } from '../deliveries/stops/stop.ts';
import type { NewVerification, Verification } from './verification.ts';

type Sealing = { readonly seal: (pin: string) => string; readonly randomPin: () => string };
type Opening = { readonly open: (sealed: string) => string | null };

/** The stored form of new requirements: the PIN is made, if need be, and encrypted. */
export function sealPin({ seal, randomPin }: Sealing, { pin, ...wanted }: NewVerification): Verification {
  if (pin === null) return { ...wanted, pin };
  const { type, value } = pin;
  // This PIN follows from the contact, so that a corrected phone changes it.
  if (type === 'phone_last4') return { ...wanted, pin: { type, sealed: null } };
  return { ...wanted, pin: { type, sealed: seal(value ?? randomPin()) } };
}

/** The PIN of a stop. Null if it needs none, or if its contact has no phone. */
export function pinOf(
  { open }: Opening,
  { verification, contact }: Pick<Stop, 'verification' | 'contact'>,
): string | null {
  const pin = verification?.pin ?? null;
  if (pin === null) return null;
  if (pin.sealed !== null) return open(pin.sealed);
  return contact === null ? null : contact.phone.replaceAll(/\D/g, '').slice(-4);
}
