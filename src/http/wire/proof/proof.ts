import { z } from 'zod';
import type { RecordProof } from '../../../dispatch/record-proof.ts';
import { assignedAt, namedBy } from '../../../domain/couriers/courier-actions.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { Stop } from '../../../domain/deliveries/stops/stop.ts';
import { idSchema } from '../../../domain/ids.ts';
import { missingProof, PROOF_PARTS, type StopProof } from '../../../domain/proof/verification.ts';
import { isoTime } from '../../../domain/time.ts';
import { linkTo } from '../../../files/links.ts';
import type { HttpContext } from '../../http-context.ts';
import { textOf } from '../../../domain/text.ts';

const barcode = textOf(128);

/** The fields of the form beside its files. */
export const ProofBody = z
  .strictObject({
    signature_name: textOf(120).exactOptional().describe('Name of the person who signed, at most 120 characters'),
    signature_relationship: textOf(60)
      .exactOptional()
      .describe('How that person is related to the recipient, at most 60 characters'),
    pin: z
      .string()
      .regex(/^[0-9]{4,8}$/, 'must have 4 to 8 digits')
      .exactOptional()
      .describe('The PIN that the recipient told the courier, 4 to 8 digits'),
    barcodes: z
      .union([barcode, z.array(barcode).max(20)])
      .transform((given) => [given].flat())
      .exactOptional()
      .describe('Scanned barcodes, each in a field of its own; at most 20'),
    age_verified: z
      .literal('true')
      .exactOptional()
      .describe('`true` if the courier checked the age of the recipient by an identity document'),
    assigned_at: assignedAt,
  })
  .transform((body): Pick<RecordProof, 'assignedAt' | 'given'> => ({
    ...namedBy(body),
    given: {
      ...(body.signature_name === undefined ? {} : { signatureName: body.signature_name }),
      ...(body.signature_relationship === undefined ? {} : { signatureRelationship: body.signature_relationship }),
      ...(body.pin === undefined ? {} : { pin: body.pin }),
      ...(body.barcodes === undefined ? {} : { barcodes: body.barcodes }),
      ...(body.age_verified === undefined ? {} : { ageVerified: true }),
    },
  }));

const time = z.iso.datetime();

const FileView = z.strictObject({
  file_id: idSchema('fil').describe('Id of the file, for the `proof` of socket messages'),
  url: z.string().describe('Link to the file. Anybody can use it until it expires'),
  expires_at: time.describe('When the link expires'),
});

export const StopProofView = z.strictObject({
  id: idSchema('prf').describe('Id of the proof of this stop'),
  object: z.literal('proof').describe('Always `proof`'),
  delivery_id: idSchema('del').describe('The delivery'),
  stop: z.number().int().describe('Number of the stop: 0 is the pickup, 1 and up are the drop-offs'),
  pictures: z.array(FileView).describe('The photos'),
  signature: z
    .strictObject({
      picture: FileView.nullable().describe('Picture of the signature. Null if there is none'),
      name: z.string().nullable().describe('Name of the person who signed. Null if it was not entered'),
      relationship: z.string().nullable().describe('How that person is related to the recipient. Null if not entered'),
    })
    .nullable()
    .describe('The signature. Null if nothing of it was given'),
  pin: z
    .strictObject({
      verified: z.boolean().describe('True if the right PIN was entered'),
      at: time.nullable().describe('When the right PIN was entered'),
    })
    .nullable()
    .describe('The entry of the PIN. Null if the stop requires none'),
  barcodes: z
    .array(
      z.strictObject({
        value: z.string().describe('Content of the barcode'),
        outcome: z.literal('success').describe('Always `success`: only required barcodes are recorded'),
        at: time.describe('When it was scanned'),
      }),
    )
    .describe('The required barcodes that were scanned'),
  identification: z
    .strictObject({
      min_age_verified: z.boolean().describe('True if the courier checked the age'),
      at: time.nullable().describe('When the courier checked it'),
    })
    .nullable()
    .describe('The age check. Null if the stop requires none'),
  missing: z
    .array(z.enum(PROOF_PARTS))
    .describe('Required parts that are still missing; empty if the proof is complete'),
  location: z
    .strictObject({ lat: z.number().describe('Latitude, degrees'), lng: z.number().describe('Longitude, degrees') })
    .nullable()
    .describe('Position of the courier when the last part was recorded. Null if unknown'),
  at: time.describe('When the last part was recorded'),
});

export const ProofView = z.strictObject({
  object: z.literal('delivery_proof').describe('Always `delivery_proof`'),
  delivery_id: idSchema('del').describe('The delivery'),
  stops: z.array(StopProofView).describe('The proof of each stop that has any: the pickup first, then the drop-offs'),
});

type LinkNeeds = Pick<HttpContext, 'clock' | 'fileSigner' | 'settings'>;

/** The proof of all stops, with new links to the files. */
export function presentProof(ctx: LinkNeeds, delivery: Delivery): z.output<typeof ProofView> {
  const stops = [delivery.pickup, ...delivery.dropOffs];
  const proven = stops.flatMap((stop) =>
    stop.proof === undefined ? [] : presentStopProof(ctx, delivery, stop, stop.proof),
  );
  return { object: 'delivery_proof', delivery_id: delivery.id, stops: proven };
}

/** The proof of one stop, with new links to the files. */
export function presentStopProof(
  ctx: LinkNeeds,
  { id }: Delivery,
  stop: Stop,
  proof: StopProof,
): z.output<typeof StopProofView> {
  const { verification } = stop;
  const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
  const linked = (file: StopProof['photos'][number]) => ({ file_id: file, ...linkTo(ctx, file) });
  const { name, relationship } = proof.signer;
  const isSigned = proof.signature !== null || name !== null || relationship !== null;
  return {
    id: proof.id,
    object: 'proof',
    delivery_id: id,
    stop: stop.index,
    pictures: proof.photos.map(linked),
    signature: isSigned
      ? { picture: proof.signature === null ? null : linked(proof.signature), name, relationship }
      : null,
    pin:
      (verification?.pin ?? null) === null
        ? null
        : { verified: proof.pin.verifiedAt !== null, at: isoOrNull(proof.pin.verifiedAt) },
    barcodes: proof.barcodes.map(({ value, at }) => ({ value, outcome: 'success', at: isoTime(at) })),
    identification:
      (verification?.minAge ?? null) === null
        ? null
        : { min_age_verified: proof.ageVerifiedAt !== null, at: isoOrNull(proof.ageVerifiedAt) },
    missing: missingProof(stop),
    location: proof.place,
    at: isoTime(proof.at),
  };
}
