import { changesOf, type AuditEntry } from '../domain/audit.ts';
import { isOfEnded } from '../domain/couriers/courier-actions.ts';
import { stopAt, type Delivery } from '../domain/deliveries/delivery.ts';
import { leavesFrom } from '../domain/deliveries/lifecycle.ts';
import { isStopEnded, type Stop } from '../domain/deliveries/stops/stop.ts';
import type { StoredFile } from '../domain/files/file.ts';
import { newId } from '../domain/ids.ts';
import { pinOf } from '../domain/proof/pin.ts';
import { pinLocked, refuseManyFiles } from '../domain/proof/judge-proof.ts';
import {
  emptyProof,
  isPinLocked,
  MOST_PIN_TRIES,
  type GivenProof,
  type StopProof,
} from '../domain/proof/verification.ts';
import { Refusal, refuseCaller, refuseField } from '../domain/refusals/refusals.ts';
import type { Change, Effect } from '../ports/changes.ts';
import type { Context } from '../ports/context.ts';
import { changeDelivery, makeChange, withEffects } from './change-delivery.ts';
import { newestPlaceOf } from './courier-place.ts';
import { momentOf } from './moment-of.ts';
import type { Doer, UnderAssignment } from './commands.ts';
import { getProofFiles, usingFiles } from './proof-files.ts';

export type ProofNeeds = Pick<
  Context,
  | 'audit'
  | 'carried'
  | 'clock'
  | 'commit'
  | 'confirmed'
  | 'deliveries'
  | 'files'
  | 'notices'
  | 'positions'
  | 'settings'
  | 'travel'
  | 'vault'
>;

export type RecordProof = UnderAssignment & {
  readonly stop: number;
  readonly given: GivenProof;
  /** The places of the proof and of its files in the body, for the pointers of refusals. */
  readonly pointer: string;
  readonly filesPointer: string;
};

/** The callers who may prove a handover. */
const PROVERS: readonly Doer['type'][] = ['courier', 'staff'];

/**
 * Adds parts to the proof of an open stop, and keeps their files. A part that is already there changes nothing. A file
 * that the proof has no more, such as a replaced signature, ends soon. A wrong PIN is counted once until another one is
 * entered, and refused with `pin_incorrect`, and no other part is added; after five of them, every PIN is refused with
 * `pin_locked`.
 * Refuses `stop_not_open` for a stop or an assignment that has ended, and `invalid_state_transition` before the courier can
 * be there.
 */
export async function recordProof(ctx: ProofNeeds, command: RecordProof, doer: Doer): Promise<Delivery> {
  if (!PROVERS.includes(doer.type)) throw refuseCaller(doer.type, PROVERS);
  const { deliveryId, stop: index, given } = command;
  const after = await changeDelivery(ctx, deliveryId, doer, (before) => plan(ctx, before, command, doer));
  // A repeat changes nothing and gets the delivery as it is now.
  refuseEndedAssignment(after, command);
  const stop = stopAt(after, index);
  if (given.pin === undefined || stop?.verification?.pin == null || stop.proof === undefined) return after;
  if (stop.proof.pin.verifiedAt !== null) return after;
  if (isPinLocked(stop)) throw new Refusal(pinLocked(index));
  throw wrongPin(command, stop.proof);
}

/**
 * Adds the proof that comes with an action at a stop. If the stop or the assignment has ended, the action itself answers,
 * since it may be a repeat.
 */
export async function addProof(
  ctx: ProofNeeds,
  {
    given,
    ...command
  }: Omit<RecordProof, 'given' | 'pointer' | 'filesPointer'> & { readonly given: GivenProof | null },
  doer: Doer,
): Promise<void> {
  if (given === null) return;
  try {
    await recordProof(ctx, { ...command, given, pointer: '/proof', filesPointer: '/proof/files' }, doer);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'stop_not_open') throw error;
  }
}

async function plan(ctx: ProofNeeds, before: Delivery, command: RecordProof, doer: Doer): Promise<Change | null> {
  const { deliveryId, given, filesPointer } = command;
  const stop = getProvable(before, command);
  const files = await getProofFiles(ctx, deliveryId, given.files ?? [], filesPointer);
  const now = ctx.clock.now();
  const old = stop.proof ?? emptyProof(newId('prf'), now);
  const isRight = given.pin !== undefined && given.pin === pinOf(ctx.vault, stop);
  const wrong = given.pin !== undefined && !isRight && isPinAwaited(stop) ? given.pin : null;
  const added = wrong === null ? add(old, given, files, isRight, now) : countWrongPin(ctx, old, wrong, doer);
  if (JSON.stringify(added) === JSON.stringify(old)) return null;
  refuseManyFiles(added.photos.length, added.signature !== null, filesPointer);
  const place = await newestPlaceOf(ctx, before);
  const proof: StopProof = { ...added, at: now, place: place === null ? null : { lat: place.lat, lng: place.lng } };
  const change = makeChange(before, withStop(before, { ...stop, proof }), [], momentOf(ctx, before, place));
  const audited: Effect[] =
    doer.type === 'staff' ? [{ kind: 'audit', entry: entryOf(ctx, before, stop.index, old, added) }] : [];
  return withEffects(change, [...usingFiles(ctx, change, files), ...audited]);
}

/** The parts of a proof, and what shows that one has changed. */
const PARTS: Readonly<Record<string, (proof: StopProof) => unknown>> = {
  photos: ({ photos }) => photos.length,
  signature: ({ signature }) => signature,
  signature_name: ({ signer }) => signer.name,
  signature_relationship: ({ signer }) => signer.relationship,
  pin: ({ pin }) => pin.verifiedAt,
  wrong_pin: ({ pin }) => pin.wrongTries,
  barcodes: ({ barcodes }) => barcodes.length,
  age_verified: ({ ageVerifiedAt }) => ageVerifiedAt,
};

/** The entry of the audit log for proof that staff give: which parts have changed, and not what is in them. */
function entryOf(
  { audit }: ProofNeeds,
  { id, vendorId, liveMode }: Delivery,
  stop: number,
  old: StopProof,
  added: StopProof,
): AuditEntry {
  const proof = Object.entries(PARTS).flatMap(([name, partOf]) => (partOf(old) === partOf(added) ? [] : [name]));
  const changes = changesOf(null, { stop, proof });
  return audit.draft({ action: 'delivery.prove', objectId: id, vendorId, liveMode, changes });
}

/** Says whether the stop requires a PIN that nobody has entered yet. */
function isPinAwaited({ verification, proof }: Stop): boolean {
  return (verification?.pin ?? null) !== null && (proof?.pin.verifiedAt ?? null) === null;
}

/** A phone that has lost the answer sends the same PIN again. This does not count as another try. Each try of staff does. */
function countWrongPin({ vault }: ProofNeeds, old: StopProof, wrong: string, { type }: Doer): StopProof {
  const { wrongTries, lastWrong } = old.pin;
  if (type === 'courier' && lastWrong !== undefined && vault.open(lastWrong) === wrong) return old;
  return { ...old, pin: { ...old.pin, wrongTries: wrongTries + 1, lastWrong: vault.seal(wrong) } };
}

function add(
  old: StopProof,
  given: GivenProof,
  files: readonly StoredFile[],
  isRight: boolean,
  now: number,
): StopProof {
  const photos = files.filter(({ kind }) => kind === 'photo').map(({ id }) => id);
  const signature = files.find(({ kind }) => kind === 'signature')?.id ?? old.signature;
  const scanned = (given.barcodes ?? []).filter((value) => !old.barcodes.some((known) => known.value === value));
  return {
    ...old,
    photos: [...new Set([...old.photos, ...photos])],
    signature,
    signer: {
      name: given.signatureName ?? old.signer.name,
      relationship: given.signatureRelationship ?? old.signer.relationship,
    },
    pin: isRight && old.pin.verifiedAt === null ? { verifiedAt: now, wrongTries: old.pin.wrongTries } : old.pin,
    barcodes: [...old.barcodes, ...[...new Set(scanned)].map((value) => ({ value, at: now }))],
    ageVerifiedAt: given.ageVerified === true ? (old.ageVerifiedAt ?? now) : old.ageVerifiedAt,
  };
}

/**
 * The stop of a proof. Refuses a stop that does not exist or cannot be proven now, an assignment that has ended, a PIN after
 * too many wrong ones, and barcodes that the stop does not require. A form is refused here before its files are stored.
 */
export function getProvable(delivery: Delivery, command: Omit<RecordProof, 'filesPointer'>): Stop {
  const { stop: index, given, pointer } = command;
  refuseEndedAssignment(delivery, command);
  const stop = stopAt(delivery, index);
  if (stop === null) throw new Refusal('stop_not_found');
  refuseEarly(delivery, stop);
  if (given.pin !== undefined && isPinLocked(stop)) throw new Refusal(pinLocked(index));
  refuseStrangeBarcodes(stop, given, pointer);
  return stop;
}

/** The pickup is proven while the courier collects the goods, and a drop-off while they have them. */
function refuseEarly({ state }: Delivery, { index, state: stopState, ...stop }: Stop): void {
  if (isStopEnded({ state: stopState })) {
    const detail = `Stop ${index} is already \`${stopState}\`.`;
    throw new Refusal('stop_not_open', { detail, metadata: { stop: index, status: stopState } });
  }
  const isNow = stop.visit === 0 ? leavesFrom(state, 'pick_up') : leavesFrom(state, 'fail');
  if (isNow) return;
  const detail = `Proof at stop ${index} is not possible while the delivery is \`${state}\`.`;
  throw new Refusal('invalid_state_transition', { reason: 'too_early', detail });
}

/** Refuses `stop_not_open` for an assignment that has ended. A late proof must not count for a later one. */
export function refuseEndedAssignment(delivery: Delivery, command: Pick<RecordProof, 'stop' | 'assignedAt'>): void {
  if (!isOfEnded(delivery, command)) return;
  const { stop } = command;
  const detail = `The proof of stop ${stop} was not recorded, because the assignment that \`assigned_at\` names has ended.`;
  throw new Refusal('stop_not_open', { detail, metadata: { stop } });
}

function refuseStrangeBarcodes({ index, verification }: Stop, { barcodes = [] }: GivenProof, pointer: string): void {
  const strange = barcodes.findIndex(
    (value) => verification?.barcodes.some((wanted) => wanted.value === value) !== true,
  );
  if (strange === -1) return;
  throw refuseField(
    `${pointer}/barcodes/${strange}`,
    'unknown_barcode',
    `must be a barcode that stop ${index} requires`,
  );
}

function wrongPin({ stop, pointer }: RecordProof, { pin }: StopProof): Refusal {
  const left = MOST_PIN_TRIES - pin.wrongTries;
  const lock = left === 1 ? '1 more wrong try locks' : `${left} more wrong tries lock`;
  const message = `\`${pointer}/pin\` is not the PIN of stop ${stop}. ${lock} the stop.`;
  const errors = [{ pointer: `${pointer}/pin`, code: 'pin_incorrect', message }];
  return new Refusal('pin_incorrect', { detail: message, errors, metadata: { stop, tries_left: left } });
}

function withStop(delivery: Delivery, stop: Stop): Delivery {
  if (stop.index === 0) return { ...delivery, pickup: stop };
  return { ...delivery, dropOffs: delivery.dropOffs.map((old) => (old.index === stop.index ? stop : old)) };
}
