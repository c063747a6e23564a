import { refuseEnded, refuseStale, stopEnded, unknownStop } from './refuse-change.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { refuseCaller } from '../../domain/refusals/refusals.ts';
import { isStopEnded, type Contact, type Stop } from '../../domain/deliveries/stop.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { actorFor, changeDelivery, makeChange } from '../change-delivery.ts';
import type { Doer, UpdateDelivery } from '../commands.ts';
import { hereOf, type Here } from '../move-delivery.ts';

type Needs = Pick<Context, 'confirmed' | 'deliveries' | 'clock' | 'commit' | 'notices' | 'positions'>;
type Edit = UpdateDelivery['stops'][number];

/** The callers who may correct instructions and contacts. */
const EDITORS: readonly Doer['type'][] = ['vendor', 'staff', 'internal'];

/**
 * Changes instructions and contacts of open stops. An edit that changes nothing makes no event. Refuses `stale_version`
 * if the caller's version is stale, and `update_not_allowed` if the delivery or the stop has ended.
 */
export async function updateDelivery(ctx: Needs, command: UpdateDelivery, doer: Doer): Promise<Delivery> {
  if (!EDITORS.includes(doer.type)) throw refuseCaller(doer.type, EDITORS);
  return changeDelivery(ctx, command.deliveryId, doer, (before) =>
    planUpdate(before, command, doer, hereOf(ctx, before)),
  );
}

/** The change, or null if everything already is as requested. */
function planUpdate(before: Delivery, command: UpdateDelivery, doer: Doer, { now, place }: Here): Change | null {
  const { ifVersion, stops } = command;
  refuseStale(before, ifVersion);
  refuseEnded(before);
  const after = stops.reduce((delivery, wanted) => edit(delivery, wanted, pointerOf(stops, wanted)), before);
  if (after === before) return null;
  return makeChange(before, after, [{ type: 'delivery.updated', actor: actorFor(doer) }], now, place);
}

/** The place in the body that names the stop. */
function pointerOf(stops: UpdateDelivery['stops'], wanted: Edit): string {
  return `/drop_off/${stops.filter(({ stop }) => stop > 0).indexOf(wanted)}/stop`;
}

function edit(delivery: Delivery, wanted: Edit, pointer: string): Delivery {
  const { pickup, dropOffs } = delivery;
  const old = wanted.stop === 0 ? pickup : dropOffs[wanted.stop - 1];
  if (old === undefined) throw unknownStop(delivery, wanted.stop, pointer);
  if (isSame(old, wanted)) return delivery;
  if (isStopEnded(old)) throw stopEnded(old);
  const next: Stop = {
    ...old,
    instructions: wanted.instructions === undefined ? old.instructions : wanted.instructions,
    contact: wanted.contact ?? old.contact,
  };
  if (wanted.stop === 0) return { ...delivery, pickup: next };
  return { ...delivery, dropOffs: dropOffs.map((stop) => (stop.index === next.index ? next : stop)) };
}

function isSame(stop: Stop, { instructions, contact }: Edit): boolean {
  const isSameText = instructions === undefined || instructions === stop.instructions;
  return isSameText && (contact === undefined || isSameContact(contact, stop.contact));
}

function isSameContact(a: Contact, b: Contact | null): boolean {
  return b !== null && a.name === b.name && a.phone === b.phone && a.email === b.email;
}
