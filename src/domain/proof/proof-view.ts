import { z } from 'zod';
import { BARCODE_TYPES, PIN_TYPES, type Verification } from './verification.ts';

/** The requirements of a stop. Only answers to the vendor and staff have the value of the PIN. */
export const VerificationView = z
  .strictObject({
    picture: z.boolean().describe('True if the courier must take a photo'),
    signature: z
      .strictObject({
        enabled: z.boolean().describe('True if the courier must collect a signature'),
        collect_name: z.boolean().describe('True if the courier must also enter the name of the person who signs'),
        collect_relationship: z
          .boolean()
          .describe('True if the courier must also enter how that person is related to the recipient'),
      })
      .describe('The signature of the person at the stop'),
    pin: z
      .strictObject({
        enabled: z.boolean().describe('True if the recipient must tell the courier a PIN'),
        type: z.enum(PIN_TYPES).nullable().describe('Origin of the PIN. Null if none is required'),
        value: z
          .string()
          .exactOptional()
          .describe('The PIN, 4 to 8 digits. Only answers to the vendor and staff have it, and never events'),
      })
      .describe('The PIN that the recipient tells the courier'),
    barcodes: z
      .array(
        z.strictObject({
          value: z.string().describe('Content of the barcode'),
          type: z.enum(BARCODE_TYPES).describe('Kind of the barcode'),
        }),
      )
      .describe('Barcodes that the courier must scan; empty if none'),
    identification: z
      .strictObject({ min_age: z.number().int().describe('Age in years that the recipient must have') })
      .nullable()
      .describe('Age check with an identity document. Null if none is required'),
  })
  .describe('The proof that the courier must give at this stop');

export function presentVerification(wanted: Verification): z.output<typeof VerificationView> {
  return {
    picture: wanted.picture,
    signature: {
      enabled: wanted.signature !== null,
      collect_name: wanted.signature?.collectName ?? false,
      collect_relationship: wanted.signature?.collectRelationship ?? false,
    },
    pin: { enabled: wanted.pin !== null, type: wanted.pin?.type ?? null },
    barcodes: wanted.barcodes.map(({ value, type }) => ({ value, type })),
    identification: wanted.minAge === null ? null : { min_age: wanted.minAge },
  };
}
