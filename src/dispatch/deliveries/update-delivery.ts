import { isDeepStrictEqual } from 'node:util';
import { stopAt, type Delivery } from '../../domain/deliveries/delivery.ts';
import { hasCourier } from '../../domain/deliveries/lifecycle.ts';
import { closesAt, searchMoved, type SearchSpan } from '../../domain/deliveries/search.ts';
import { isStopEnded, type Stop } from '../../domain/deliveries/stops/stop.ts';
import { distanceM } from '../../domain/geo/geo.ts';
import { hasBegunProof, NO_PROOF } from '../../domain/proof/verification.ts';
import { Refusal, refuseCaller, type No } from '../../domain/refusals/refusals.ts';
import { judgeEnds, judgeReady, judgeWindows } from '../../domain/window.ts';
import { raiseTip } from '../../money/charges/fund-delivery.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { actorFor, bookingOf, changeDelivery, makeChange, withEffects } from '../change-delivery.ts';
import type { Doer, StopEdit, UpdateDelivery } from '../commands.ts';
import { hereOf, type Here, type MoveNeeds } from '../move-delivery.ts';
import { demandProof } from './demand-proof.ts';
import { refuseStale } from '../../domain/refusals/refuse-stale.ts';
import { refuseEnded, refuseUpdate, stopEnded, unknownStop } from './refuse-change.ts';

type Needs = MoveNeeds & Pick<Context, 'vault'>;
type Field = Exclude<keyof StopEdit, 'stop'>;

/** The callers who may correct a delivery. */
const EDITORS: readonly Doer['type'][] = ['vendor', 'staff', 'internal'];
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
 * Changes fields of an open delivery. The event names the fields that changed. A request that changes nothing makes no
 * event. A higher tip is reserved in the wallet. Refuses `stale_version` if the caller's version is stale,
 * `insufficient_funds` if the wallet cannot reserve the tip, and `update_not_allowed` with a reason if a field can no
 * longer change. Windows that do not fit are refused as at the create.
 */
export async function updateDelivery(ctx: Needs, command: UpdateDelivery, doer: Doer): Promise<Delivery> {
  if (!EDITORS.includes(doer.type)) throw refuseCaller(doer.type, EDITORS);
  const after = await changeDelivery(ctx, command.deliveryId, doer, (before) =>
    planUpdate(ctx, before, command, doer, { ...hereOf(ctx, before), leads: ctx.settings.search }),
  );
  if (command.stops.some(({ window, place }) => window !== undefined || place !== undefined))
    ctx.bell.ring(after.region);
  return after;
}

type HereWithLeads = Here & { readonly leads: Needs['settings']['search'] };

/** The change, or null if everything already is as requested. */
function planUpdate(
  ctx: Pick<Needs, 'vault'>,
  before: Delivery,
  command: UpdateDelivery,
  doer: Doer,
  here: HereWithLeads,
): Change | null {
  const { ifVersion, stops } = command;
  refuseStale(before, ifVersion);
  refuseEnded(before);
  const edited = stops.map((wanted) => edit(ctx, before, wanted, pointerOf(stops, wanted)));
  const changed = [...edited.flatMap(({ changed: fields }) => fields), ...changedOf(before, command)];
  if (changed.length === 0) return null;
  const newStop = (old: Stop): Stop => edited.find(({ stop }) => stop.index === old.index)?.stop ?? old;
  const moved: Delivery = {
    ...before,
    pickup: newStop(before.pickup),
    dropOffs: before.dropOffs.map(newStop),
    ...(command.tip === undefined ? {} : { tip: command.tip }),
    ...(command.custom === undefined ? {} : { custom: command.custom }),
  };
  const raised = command.tip === undefined ? null : raiseTip(before, command.tip);
  const after = { ...withWindows(before, moved, stops, here), ...(raised === null ? {} : { funds: raised.funds }) };
  const happening = { type: 'delivery.updated', actor: actorFor(doer), changed } as const;
  const change = makeChange(before, after, [happening], here);
  return withEffects(change, bookingOf(raised?.commands ?? []));
}

/** The place in the body that names the stop. */
function pointerOf(stops: UpdateDelivery['stops'], wanted: StopEdit): string {
  return wanted.stop === 0 ? '/pickup' : `/drop_off/${stops.filter(({ stop }) => stop > 0).indexOf(wanted)}`;
}

/** The fields beside the stops that change. Refuses a lower tip. */
function changedOf(before: Delivery, { tip, custom }: UpdateDelivery): string[] {
  const had = before.tip ?? 0;
  if (tip !== undefined && tip < had) {
    const detail = `\`/tip\` can only rise; it is ${had}, and the request names ${tip}.`;
    throw refuseUpdate('tip_lowered', { detail, errors: [{ pointer: '/tip', code: 'tip_lowered', message: detail }] });
  }
  return [
    ...(tip === undefined || tip === had ? [] : ['/tip']),
    ...(custom === undefined || isDeepStrictEqual({ ...custom }, { ...before.custom }) ? [] : ['/custom']),
  ];
}

/** The stop after the edit, and its changed fields as pointers into the delivery. */
function edit(
  ctx: Pick<Needs, 'vault'>,
  delivery: Delivery,
  { stop: index, verification: demands, ...described }: StopEdit,
  pointer: string,
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
  const first = fields.includes('place') ? { firstPlace: old.firstPlace ?? old.place } : {};
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
  const movedM = place === undefined ? 0 : Math.round(distanceM(stop.firstPlace ?? stop.place, place));
  if (movedM <= FARTHEST_MOVE_M) return isBeforeArrival(delivery, stop);
  const detail = `Stop ${stop.index} may move at most ${FARTHEST_MOVE_M} m from its first place, and this is ${movedM} m.`;
  return refuseUpdate('moved_too_far', { detail, metadata: { distance_m: movedM, at_most_m: FARTHEST_MOVE_M } });
}

function mayMoveWindow(delivery: Delivery, { index }: Stop): Refusal | null {
  if (index > 0 || !hasCourier(delivery.state)) return isUncollected(delivery);
  const detail =
    'The pickup window cannot change while a courier is assigned. Use `POST /vendor/deliveries/{id}/delay` to put the pickup off.';
  return refuseUpdate('courier_assigned', { detail });
}

/** The delivery with its search moved to the new windows. Refuses windows that do not fit each other. */
function withWindows(
  before: Delivery,
  moved: Delivery,
  stops: UpdateDelivery['stops'],
  { now, leads }: HereWithLeads,
): Delivery {
  const windows = (delivery: Delivery) => [delivery.pickup, ...delivery.dropOffs].map(({ window }) => window);
  if (isDeepStrictEqual(windows(before), windows(moved))) return moved;
  const [pickup = null, ...dropOffs] = windows(moved);
  const isPickupMoved = !isDeepStrictEqual(before.pickup.window, pickup);
  const { createdAt } = before.times;
  // A pickup window that stays may have passed: the courier is late, and the drop-offs follow.
  const judgedAt = isPickupMoved ? now : createdAt;
  const no =
    judgeReady(pickup, createdAt) ??
    (moved.priority === 'scheduled' ? judgeWindows(pickup, dropOffs, judgedAt) : null) ??
    judgeEnds(pickup, dropOffs, createdAt);
  if (no !== null) throw new Refusal(inBody(no, stops));
  return isPickupMoved ? { ...moved, ...searchOf(before, moved, now, leads) } : moved;
}

function searchOf(
  before: Delivery,
  { pickup: { window }, priority, times }: Delivery,
  now: number,
  leads: HereWithLeads['leads'],
): SearchSpan & Pick<Delivery, 'times'> {
  const readyAt = window?.readyAt ?? now;
  // Goods that were reported ready and are now expected later are no longer ready.
  const reported = readyAt > now ? { ...times, readyAt: null } : times;
  return { ...searchMoved(before, { readyAt, closesAt: closesAt(priority, window) }, leads, now), times: reported };
}

/** The same refusal with the pointers of the request, which may list drop-offs in another order. */
function inBody(no: No, stops: UpdateDelivery['stops']): No {
  const listed = stops.filter(({ stop }) => stop > 0).map(({ stop }) => stop);
  const move = (text: string): string =>
    text.replaceAll(/\/drop_off\/(\d+)\//g, (whole, index: string) => {
      const place = listed.indexOf(Number(index) + 1);
      return place === -1 ? whole : `/drop_off/${place}/`;
    });
  const errors = no.errors?.map((error) => ({ ...error, pointer: move(error.pointer), message: move(error.message) }));
  return {
    ...no,
    ...(no.detail === undefined ? {} : { detail: move(no.detail) }),
    ...(errors === undefined ? {} : { errors }),
  };
}
