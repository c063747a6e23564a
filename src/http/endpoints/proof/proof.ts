import { acceptProof } from '../../../files/accept-proof.ts';
import { stopAt, type Delivery } from '../../../domain/deliveries/delivery.ts';
import { isResultOf } from '../../../domain/deliveries/lifecycle.ts';
import { Refusal, refuseField } from '../../../domain/refusals/refusals.ts';
import { getProvable, recordProof, refuseEndedAssignment } from '../../../dispatch/record-proof.ts';
import { getVisible, type Reader } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { presentProof, presentStopProof, ProofBody, ProofView, StopProofView } from '../../wire/proof/proof.ts';

const description =
  'Returns the proof of each stop: photos, signature, PIN, barcodes and age check. Links to files expire after 15 ' +
  'minutes; request the proof again for new ones. A vendor gets it once the delivery is `delivered`, and 409 ' +
  '`proof_not_available` before. Files are removed after `FILES_PROOF_MS`.';

/** The proof of handovers. */
export const PROOF = [
  endpoint({
    route: 'GET /express/deliveries/{id}/proof',
    name: 'getExpressDeliveryProof',
    tag: 'Express',
    summary: 'Read the proof of a delivery',
    description,
    id: 'delivery',
    reply: ProofView,
    status: 200,
    refuses: [409],
    run: async (ctx, { caller, id }) => presentProof(ctx, provenFor(caller, await getVisible(ctx, caller, id))),
  }),
  endpoint({
    route: 'GET /deliveries/{id}/proof',
    name: 'getDeliveryProof',
    tag: 'Deliveries',
    summary: 'Read the proof of a delivery',
    description: `${description} Staff and internal services get the proof of the stops so far at any time.`,
    id: 'delivery',
    reply: ProofView,
    status: 200,
    refuses: [409],
    run: async (ctx, { caller, id }) => presentProof(ctx, provenFor(caller, await getVisible(ctx, caller, id))),
  }),
  endpoint({
    route: 'POST /deliveries/{id}/stops/{stop}/proof',
    name: 'addStopProof',
    tag: 'Deliveries',
    summary: 'Add photos, a signature and other proof at a stop',
    description:
      'Takes a form with files and fields, and adds them to the proof of the stop. Photos and signatures are JPEG, PNG ' +
      'or WebP; their metadata is removed. A picture that the stop has already is not added again. The answer lists what is still missing. Then report the stop as collected or ' +
      'delivered. A wrong PIN answers 422 `pin_incorrect` and adds nothing, and five of them lock the stop (`pin_locked`). ' +
      'The same wrong PIN again in a row counts once. If `assigned_at` names an assignment that has ended, nothing is ' +
      'recorded, and the answer is 409 `stop_not_open`.',
    id: 'delivery',
    part: 'stop',
    body: ProofBody,
    upload: { photo: 4, signature: 1 },
    reply: StopProofView,
    status: 201,
    run: async (ctx, { caller, id, part: index, body, files }) => {
      const before = await getVisible(ctx, caller, id);
      const command = { ...body, deliveryId: id, stop: index, pointer: '', filesPointer: '/photo' };
      refuseEndedAssignment(before, command);
      // The stop may have ended since an earlier try of this request proved it.
      if (ctx.commit.isRepeat !== true) getProvable(before, command);
      const stored = await acceptProof(ctx, files, id, stopAt(before, index)?.proof);
      const after = await recordProof(ctx, { ...command, given: { ...body.given, files: stored } }, caller);
      const stop = stopAt(after, index);
      if (stop === null) throw new Refusal('delivery_not_found');
      if (stop.proof === undefined)
        throw refuseField('/photo', 'required', 'must be a file, or another part must be given');
      return presentStopProof(ctx, after, stop, stop.proof);
    },
  }),
];

/** A vendor reads the proof of a delivered delivery only. */
function provenFor({ type }: Reader, delivery: Delivery): Delivery {
  if (type === 'vendor' && !isResultOf('deliver', delivery.state)) throw new Refusal('proof_not_available');
  return delivery;
}
