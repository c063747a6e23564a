import { isDeepStrictEqual } from 'node:util';
import { stopAt, type Delivery } from '../../../domain/deliveries/delivery.ts';
import { hasCourier } from '../../../domain/deliveries/lifecycle.ts';
import { isStopEnded, type Stop } from '../../../domain/deliveries/stops/stop.ts';
import { distanceM } from '../../../domain/geo/geo.ts';
import { hintAtSwap } from '../../../domain/geo/swapped.ts';
import { hasBegunProof, NO_PROOF } from '../../../domain/proof/verification.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { judgeMove } from '../../../domain/vendors/accept.ts';
import type { Zone } from '../../../domain/vendors/zone.ts';
import type { Context } from '../../../ports/context.ts';
import type { StopEdit } from '../../commands.ts';
import { demandProof } from './demand-proof.ts';
import { refuseUpdate, stopEnded, unknownStop } from '../refuse-change.ts';

type Field = Exclude<keyof StopEdit, 'stop'>;

/** How far a drop-off may move from its first place, metres in a straight line. */
const FARTHEST_MOVE_M = 500;

/** A field of a stop: its name in answers, and the rule for changing it. */
type FieldRow = {
  readonly wire: string;
  readonly when: (delivery: Delivery, stop: Stop, edit: StopEdit) => Refusal | null;
};

/** Every field of a stop that can change. */
// One row per line: this is a table.
// oxfmt-ignore
const FIELDS: Readonly<Record<Field, FieldRow>> = {
  instructions: { wire: 'instructions',  when: () => null },
  contact:      { wire: 'contact',       when: () => null },
  address:      { wire: 'address',       when: isBeforeArrival },
  place:        { wire: 'coordinates',   when: isNearEnough },
  window:       { wire: 'window',        when: mayMoveWindow },
  items:        { wire: 'items',         when: isUncollected },
  orderValue:   { wire: 'order_value',   when: isUnpaid },
  businessName: { wire: 'business_name', when: isUncollected },
  reference:    { wire: 'reference',     when: isUncollected },
  verification: { wire: 'verification',  when: isUnproven },
};

/**
 * The stop after the edit, and its changed fields as pointers into the delivery. Refuses `update_not_allowed` with a reason
 * if a field can no longer change, and a drop-off that leaves the zones.
 * @param pointer the place of the stop in the body
 * @param zones in which a drop-off may move; none if it may move anywhere
 */
export function editStop(
  ctx: Pick<Context, 'vault'>,
  delivery: Delivery,
  { stop: index, verification: demands, ...described }: StopEdit,
  pointer: string,
  zones: readonly Zone[],
): { readonly stop: Stop; readonly changed: readonly string[] } {
  const old = stopAt(delivery, index);
  if (old === null) throw unknownStop(delivery, index, `${pointer}/stop`);
  const wanted = {
    ...described,
    ...(demands === undefined ? {} : { verification: demandProof(ctx, old, demands, `${pointer}/verification`) }),
  };
  const fields = Object.entries(wanted)
    .filter(([name, value]) => !isDeepStrictEqual(value, old[name as Field] ?? EMPTY[name as Field] ?? null))
    .map(([name]) => name as Field);
  if (fields.length > 0 && isStopEnded(old)) throw stopEnded(old);
  for (const name of fields) {
    const { wire, when } = FIELDS[name];
    const refusal = when(delivery, old, { stop: index, ...described });
    if (refusal !== null) throw refusalAt(refusal, `${pointer}/${wire}`);
  }
  const moved = fields.includes('place') ? described.place : undefined;
  const no = moved === undefined ? null : judgeMove(zones, moved, `${pointer}/coordinates`);
  if (no !== null) throw new Refusal(no);
  const first = moved === undefined ? {} : { firstPlace: old.firstPlace ?? old.place };
  const base = index === 0 ? '/pickup' : `/drop_off/${index - 1}`;
  const set = Object.fromEntries(fields.map((name) => [name, wanted[name]]));
  return { stop: { ...old, ...set, ...first }, changed: fields.map((name) => `${base}/${FIELDS[name].wire}`) };
}

/** The values of fields that are absent in a stored stop and not null. */
const EMPTY: Partial<Record<Field, unknown>> = { items: [], verification: NO_PROOF };

/** The same refusal with the place in the body. */
function refusalAt({ code, message, told }: Refusal, pointer: string): Refusal {
  const errors = [{ pointer, code: told.reason ?? code, message }];
  return new Refusal(code, { ...told, detail: message, errors });
}

function isUncollected({ pickup }: Delivery): Refusal | null {
  if (!isStopEnded(pickup)) return null;
  const detail =
    'Goods, windows, required proof and the names at the pickup cannot change after the goods were collected.';
  return refuseUpdate('already_collected', { detail });
}

/** The customer has paid what a service has collected, so a change would pay the vendor another amount. */
function isUnpaid(delivery: Delivery): Refusal | null {
  if (delivery.orderValueCollectedBy === undefined) return isUncollected(delivery);
  const detail = 'The order value was collected from the customer, so it can no longer change.';
  return refuseUpdate('order_value_collected', { detail });
}

function isUnproven(delivery: Delivery, stop: Stop): Refusal | null {
  if (!hasBegunProof(stop)) return isUncollected(delivery);
  const detail = `The proof of stop ${stop.index} has begun, so its requirements can no longer change.`;
  return refuseUpdate('proof_begun', { detail });
}

function isBeforeArrival(_delivery: Delivery, { index, arrivedAt }: Stop): Refusal | null {
  if (arrivedAt === null) return null;
  return refuseUpdate('courier_arrived', {
    detail: `The place of stop ${index} cannot change after the courier arrived.`,
  });
}

function isNearEnough(delivery: Delivery, stop: Stop, { place }: StopEdit): Refusal | null {
  if (place === undefined) return isBeforeArrival(delivery, stop);
  const first = stop.firstPlace ?? stop.place;
  const movedM = Math.round(distanceM(first, place));
  if (movedM <= FARTHEST_MOVE_M) return isBeforeArrival(delivery, stop);
  const detail = `Stop ${stop.index} may move at most ${FARTHEST_MOVE_M} m from its first place, and this is ${movedM} m.`;
  const hint = hintAtSwap([place], (swapped) => swapped.every((one) => distanceM(first, one) <= FARTHEST_MOVE_M));
  return refuseUpdate('moved_too_far', {
    detail: detail + hint,
    metadata: { distance_m: movedM, at_most_m: FARTHEST_MOVE_M },
  });
}

function mayMoveWindow(delivery: Delivery, { index }: Stop): Refusal | null {
  if (index > 0 || !hasCourier(delivery.state)) return isUncollected(delivery);
  const detail =
    'The pickup window cannot change while a courier is assigned. Use `POST /vendor/deliveries/{id}/delay` to put the pickup off.';
  return refuseUpdate('courier_assigned', { detail });
}
