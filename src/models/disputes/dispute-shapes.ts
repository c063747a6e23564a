import { AUDITED_ACTORS, type AuditActor } from '../../domain/audit.ts';
import type { DisputeId } from '../../domain/ids.ts';
import { flag, id, list, maybe, number, oneOf, part, text, whole64 } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { DISPUTE_REASONS, DISPUTE_STATES, FAULT_PARTIES, type Dispute } from '../../money/disputes/dispute.ts';
import { OWNED } from '../common-fields.ts';

export type DisputeRow = Omit<Dispute, 'id' | 'amount' | 'refunded'> & {
  readonly _id: DisputeId;
  readonly amount: bigint;
  readonly refunded: bigint | null;
};

/** The indexes of the lists, each newest first within a state, and of the disputes of a vendor since an instant. */
export const BY_DELIVERY = { deliveryId: 1, state: 1, _id: -1 } as const;
export const BY_VENDOR = { vendorId: 1, liveMode: 1, state: 1, _id: -1 } as const;
export const BY_MODE = { liveMode: 1, state: 1, _id: -1 } as const;
export const SINCE = { vendorId: 1, liveMode: 1, createdAt: -1 } as const;

export const DISPUTES = shape<DisputeRow>({
  name: 'disputes',
  holds: 'A vendor’s dispute of the charge of one delivery, and its decision.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [{ key: BY_DELIVERY }, { key: BY_VENDOR }, { key: BY_MODE }, { key: SINCE }],
  fields: {
    _id: id('dsp', 'The dispute’s id.'),
    deliveryId: id('del', 'The delivery whose charge is disputed.'),
    vendorId: id('ven', 'The vendor who raised it.'),
    liveMode: flag('The mode of the delivery.'),
    currency: text('ISO 4217 code of the currency.'),
    amount: whole64(
      'The amount that the vendor wants back, minor units. The reserve has it while the dispute is open.',
    ),
    reason: oneOf(DISPUTE_REASONS, 'The subject of the dispute.'),
    description: text('The words of the vendor.'),
    proofIds: list(id('prf', 'A proof of the delivery.'), 'The proofs on which the vendor relies.'),
    state: oneOf(DISPUTE_STATES, 'Where it stands.'),
    refunded: maybe(whole64('The amount that the vendor got back, minor units; null unless it was accepted.')),
    partyAtFault: maybe(oneOf(FAULT_PARTIES, 'The side on which the cause lies; null before the decision.')),
    note: maybe(text('The words of the decision to the vendor; null before.')),
    handledBy: maybe(
      part<AuditActor>(
        {
          type: oneOf(AUDITED_ACTORS, 'The kind of caller.'),
          id: maybe(text('The member of staff, or the name of the service.')),
        },
        'The one who reviews it or has decided; null before.',
      ),
    ),
    createdAt: number('When it was raised, service time in ms.'),
    updatedAt: number('When its state changed last, service time in ms.'),
    version: number('Rises by one with each change.'),
  },
});
