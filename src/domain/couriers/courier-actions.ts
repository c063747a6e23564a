import { z } from 'zod';
import { MOST_BARCODES, MOST_PROOF_FILES, type GivenProof } from '../proof/verification.ts';
import { idSchema, type CourierId } from '../ids.ts';
import { proseOf, textOf } from '../text.ts';
import { assignmentOf, type Delivery } from '../deliveries/delivery.ts';
import { FAIL_REASONS } from '../deliveries/states.ts';
import { explainCodes, FAIL_WORDS } from '../views/reason-words.ts';

/** The fields of a courier's actions, which HTTP and sockets parse alike. Each adds how it names the delivery and the stop. */

const words = proseOf(280, 1);

const overrideReason = words
  .exactOptional()
  .describe('Why the action is right although the courier is away from the stop; at most 280 characters');

/** The field by which an action names the assignment that it is about. */
export const assignedAt = z.iso
  .datetime({ offset: true })
  .exactOptional()
  .describe(
    'When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment',
  );

/** An action that only a reason can accompany: an arrival, a pickup, a departure or a hand-over. */
export const ActBody = z.strictObject({ override_reason: overrideReason, assigned_at: assignedAt });

/** Proof at a stop. Its files are uploaded with `POST /deliveries/{id}/stops/{stop}/proof` first. */
const ProofPart = z.strictObject({
  files: z
    .array(idSchema('fil'))
    .max(MOST_PROOF_FILES)
    .exactOptional()
    .describe('Files that were uploaded for the stop, at most 10'),
  pin: z
    .string()
    .regex(/^[0-9]{4,8}$/, 'must have 4 to 8 digits')
    .exactOptional()
    .describe('The PIN that the recipient told the courier, 4 to 8 digits'),
  signature_name: textOf(120).exactOptional().describe('Name of the person who signed, at most 120 characters'),
  signature_relationship: textOf(60)
    .exactOptional()
    .describe('How that person is related to the recipient, at most 60 characters'),
  barcodes: z.array(textOf(128)).max(MOST_BARCODES).exactOptional().describe('Scanned barcodes, at most 20'),
  age_verified: z
    .boolean()
    .exactOptional()
    .describe('True if the courier checked the age of the recipient by an identity document. False records nothing'),
});

/** The collection or the handover of goods. */
export const HandoverBody = ActBody.extend({
  proof: ProofPart.exactOptional().describe('Proof that is recorded before the action'),
});

/** The proof of a message or a body; null if it has none. */
export function givenBy({ proof }: Pick<z.output<typeof HandoverBody>, 'proof'>): GivenProof | null {
  if (proof === undefined) return null;
  const { signature_name: name, signature_relationship: relationship, age_verified: age, ...same } = proof;
  return {
    ...same,
    ...(name === undefined ? {} : { signatureName: name }),
    ...(relationship === undefined ? {} : { signatureRelationship: relationship }),
    ...(age === true ? { ageVerified: true } : {}),
  };
}

const ContactTry = z.strictObject({
  at: z.iso.datetime({ offset: true }).describe('When the courier tried, RFC 3339 with a zone'),
  channel: z.enum(['call', 'message']),
});

/** A drop-off that cannot be served. */
export const GiveUpBody = z.strictObject({
  reason: z.enum(FAIL_REASONS).describe(explainCodes('Why the drop-off cannot be served', FAIL_WORDS)),
  override_reason: overrideReason,
  assigned_at: assignedAt,
  contact_tries: z
    .array(ContactTry)
    .max(20)
    .default([])
    .describe('Tries to reach the recipient since the pickup. A courier needs two that are at least one minute apart'),
});

/** A delivery that its courier gives back. */
export const LetGoBody = z.strictObject({
  reason: words.describe('Why the courier loses the delivery; at most 280 characters'),
  assigned_at: assignedAt,
});

/** A delivery that somebody takes from its courier. */
export const TakeBackBody = LetGoBody.extend({
  courier_id: idSchema('cou')
    .exactOptional()
    .describe('The courier who loses the delivery. A retry with this field never takes it from another courier'),
});

/** The assignment that an action names, as service time in epoch ms. */
export function namedBy({ assigned_at: at }: { readonly assigned_at?: string }): { readonly assignedAt?: number } {
  return at === undefined ? {} : { assignedAt: Date.parse(at) };
}

/**
 * Says whether an action names an assignment that has ended. An action that names none is about the present one. Apps may
 * cut times to whole seconds, so an assignment of the same second counts as the same.
 */
export function isOfEnded(delivery: Pick<Delivery, 'courierId' | 'times'>, named: ReturnType<typeof namedBy>): boolean {
  if (named.assignedAt === undefined) return false;
  const present = assignmentOf(delivery);
  return present === null || Math.floor(named.assignedAt / 1000) < Math.floor(present.at / 1000);
}

type LetGo = z.output<typeof LetGoBody> & Pick<z.output<typeof TakeBackBody>, 'courier_id'>;

/** The assignment that ends, and why. */
export function endingOf({ reason, courier_id: courierId, ...body }: LetGo): ReturnType<typeof namedBy> & {
  readonly reason: string;
  readonly courierId?: CourierId;
} {
  return { reason, ...(courierId === undefined ? {} : { courierId }), ...namedBy(body) };
}

/** A declined offer. */
export const DeclineBody = z.strictObject({
  reason: words.exactOptional().describe('Why the courier declines; at most 280 characters. `offer.accept` ignores it'),
});

/** The tries with their times in epoch ms. */
export function triesOf<T extends z.output<typeof ContactTry>>(
  tries: readonly T[],
): { readonly at: number; readonly channel: T['channel'] }[] {
  return tries.map(({ at, channel }) => ({ at: Date.parse(at), channel }));
}
