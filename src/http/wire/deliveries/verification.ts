import { z } from 'zod';
import {
  BARCODE_TYPES,
  MOST_BARCODES,
  NO_PROOF,
  PIN_TYPES,
  type DeliverableAction,
  type NewVerification,
  type ProofDemands,
} from '../../../domain/proof/verification.ts';
import { textOf } from '../../../domain/text.ts';

const BarcodeBody = z.strictObject({
  value: textOf(128).describe('Content of the barcode, at most 128 characters'),
  type: z.enum(BARCODE_TYPES).default('CODE128').describe('Kind of the barcode. The default is CODE128'),
});

const SignatureBody = z
  .strictObject({
    enabled: z.boolean().default(true).describe('True if the courier must collect a signature. The default is true'),
    collect_name: z
      .boolean()
      .default(false)
      .describe('True if the courier must enter the name of the person who signs'),
    collect_relationship: z
      .boolean()
      .default(false)
      .describe('True if the courier must enter how that person is related to the recipient'),
  })
  .describe('The signature of the person at the stop');

const PinBody = z
  .strictObject({
    enabled: z.boolean().default(true).describe('True if the recipient must tell a PIN. The default is true'),
    type: z
      .enum(PIN_TYPES)
      .default('random')
      .describe(
        'Origin of the PIN. `random`: four digits of the server. `phone_last4`: the last four digits of the contact’s phone. `merchant_provided`: `value`',
      ),
    value: z
      .string()
      .regex(/^[0-9]{4,8}$/, 'must have 4 to 8 digits')
      .exactOptional()
      .describe('The PIN, 4 to 8 digits. Only for the type `merchant_provided`'),
  })
  .superRefine(({ type, value }, issues) => {
    const isMissing = type === 'merchant_provided' && value === undefined;
    const isUseless = type !== 'merchant_provided' && value !== undefined;
    if (!isMissing && !isUseless) return;
    const message = isMissing
      ? 'must be given for the type `merchant_provided`'
      : 'must be left out, unless the type is `merchant_provided`';
    issues.addIssue({ code: 'custom', path: ['value'], message });
  })
  .describe('A PIN that the recipient tells the courier. The courier never sees it. Five wrong tries lock the stop');

const common = {
  picture: z.boolean().default(false).describe('True if the courier must take a photo. The default is false'),
  signature: SignatureBody.nullish(),
  barcodes: z.array(BarcodeBody).max(MOST_BARCODES).default([]).describe('Barcodes to scan, at most 20'),
};

/** The proof of the pickup, and of a return to it. */
export const PickupVerificationBody = z
  .strictObject(common)
  .transform((body): NewVerification => ({ ...NO_PROOF, ...requirementsOf(body) }))
  .describe('The proof that the courier must give at the pickup, and again when goods come back');

/** The proof of a drop-off. */
export const DropOffVerificationBody = z
  .strictObject({
    ...common,
    pin: PinBody.nullish(),
    identification: z
      .strictObject({ min_age: z.number().int().min(1).max(99).describe('Age in years, 1 to 99') })
      .nullish()
      .describe('The courier must check the age of the recipient by an identity document'),
  })
  .transform((body): NewVerification => ({
    ...requirementsOf(body),
    pin: body.pin?.enabled === true ? { type: body.pin.type, value: body.pin.value ?? null } : null,
    minAge: body.identification?.min_age ?? null,
  }))
  .describe('The proof that the courier must give at the drop-off');

type Common = z.output<z.ZodObject<typeof common>>;

function requirementsOf({ picture, signature, barcodes }: Common): Pick<NewVerification, keyof Common> {
  const isSigned = signature?.enabled === true;
  return {
    picture,
    signature: isSigned
      ? { collectName: signature.collect_name, collectRelationship: signature.collect_relationship }
      : null,
    barcodes,
  };
}

const commonDemands = {
  picture: z.boolean().exactOptional().describe('True if the courier must take a photo'),
  signature: z
    .strictObject({
      enabled: z.boolean().default(true).describe('True if the courier must collect a signature. The default is true'),
      collect_name: z
        .boolean()
        .exactOptional()
        .describe('True if the courier must enter the name of the person who signs'),
      collect_relationship: z
        .boolean()
        .exactOptional()
        .describe('True if the courier must enter how that person is related to the recipient'),
    })
    .exactOptional()
    .describe('The signature of the person at the stop'),
  barcodes: z
    .array(BarcodeBody)
    .max(MOST_BARCODES)
    .exactOptional()
    .describe('Barcodes to scan besides those that the stop requires already, at most 20 together'),
};
const RAISED =
  'Proof to require besides that of the stop, until the goods are collected or the proof begins. Requirements can only be added';

/** Requirements to add at the pickup. */
export const PickupDemandsBody = z
  .strictObject(commonDemands)
  .transform((body): ProofDemands => demandsOf(body))
  .describe(RAISED);

/** Requirements to add at a drop-off. */
export const DropOffDemandsBody = z
  .strictObject({
    ...commonDemands,
    pin: PinBody.exactOptional(),
    identification: z
      .strictObject({ min_age: z.number().int().min(1).max(99).describe('Age in years, 1 to 99') })
      .exactOptional()
      .describe('The courier must check the age of the recipient by an identity document'),
  })
  .transform(({ pin, identification, ...body }): ProofDemands => ({
    ...demandsOf(body),
    ...(pin === undefined ? {} : { pin: pin.enabled ? { type: pin.type, value: pin.value ?? null } : null }),
    ...(identification === undefined ? {} : { minAge: identification.min_age }),
  }))
  .describe(RAISED);

function demandsOf({ signature, ...rest }: z.output<z.ZodObject<typeof commonDemands>>): ProofDemands {
  if (signature === undefined) return rest;
  const { enabled, collect_name: name, collect_relationship: relationship } = signature;
  const collected = {
    ...(name === undefined ? {} : { collectName: name }),
    ...(relationship === undefined ? {} : { collectRelationship: relationship }),
  };
  return { ...rest, signature: enabled ? collected : null };
}

type Handover = {
  readonly deliverable_action?: DeliverableAction | null | undefined;
  readonly verification?: NewVerification | null | undefined;
};

/** Refuses proof that needs the recipient if the courier leaves the goods without meeting them. */
export function refuseMeetingAtDoor(
  { deliverable_action: action, verification }: Handover,
  issues: z.RefinementCtx<unknown>,
): void {
  if (action !== 'leave_at_door' || verification === undefined || verification === null) return;
  const named = [
    ['signature', verification.signature],
    ['pin', verification.pin],
    ['identification', verification.minAge],
  ] as const;
  for (const [field] of named.filter(([, wanted]) => wanted !== null)) {
    const message = 'must be left out if `deliverable_action` is `leave_at_door`';
    issues.addIssue({ code: 'custom', path: ['verification', field], message });
  }
}
