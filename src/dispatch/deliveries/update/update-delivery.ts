import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { closesAt, searchMoved, type SearchSpan } from '../../../domain/deliveries/search.ts';
import type { Stop } from '../../../domain/deliveries/stops/stop.ts';
import { Refusal, refuseCaller, type No } from '../../../domain/refusals/refusals.ts';
import type { Zone } from '../../../domain/vendors/zone.ts';
import {
  judgeDropOffs,
  judgeEnds,
  judgeOrder,
  judgePassed,
  judgeReady,
  judgeWindows,
  type Window,
} from '../../../domain/window.ts';
import { raiseTip } from '../../../money/charges/fund-delivery.ts';
import type { Change } from '../../../ports/changes.ts';
import type { Context } from '../../../ports/context.ts';
import { actorFor, bookingOf, changeDelivery, makeChange, withEffects } from '../../change-delivery.ts';
import type { Doer, StopEdit, UpdateDelivery } from '../../commands.ts';
import { hereOf, type Here, type MoveNeeds } from '../../move-delivery.ts';
import { refuseStale } from '../../../domain/refusals/refuse-stale.ts';
import { refuseEnded, refuseManyEdits, refuseUpdate } from '../refuse-change.ts';
import { editStop } from './edit-stop.ts';

type Needs = MoveNeeds & Pick<Context, 'vault' | 'vendors'>;

/** The callers who may correct a delivery. */
const EDITORS: readonly Doer['type'][] = ['vendor', 'staff', 'internal'];

/**
 * Changes fields of an open delivery. The event names the fields that changed. A request that changes nothing makes no
 * event. A higher tip is reserved in the wallet. Refuses `stale_version` if the caller's version is stale,
 * `insufficient_funds` if the wallet cannot reserve the tip, and `update_not_allowed` with a reason if a field can no
 * longer change. Windows that do not fit, and drop-offs that leave the zones of the location, are refused as at the create.
 */
export async function updateDelivery(ctx: Needs, command: UpdateDelivery, doer: Doer): Promise<Delivery> {
  if (!EDITORS.includes(doer.type)) throw refuseCaller(doer.type, EDITORS);
  const after = await changeDelivery(ctx, command.deliveryId, doer, async (before) => {
    const [here, zones] = await Promise.all([hereOf(ctx, before), zonesFor(ctx, before, command)]);
    return planUpdate(ctx, before, command, doer, { ...here, leads: ctx.settings.search, zones });
  });
  if (command.stops.some(({ window, place }) => window !== undefined || place !== undefined))
    ctx.bell.ring(after.region);
  return after;
}

type Surroundings = Here & {
  readonly leads: Needs['settings']['search'];
  /** The zones in which a drop-off may move; none if it may move anywhere. */
  readonly zones: readonly Zone[];
};

/** The zones of the delivery's location, if a stop moves. A location that is gone has none. A return goes to a pickup. */
async function zonesFor(
  { vendors }: Needs,
  { kind, locationId }: Delivery,
  { stops }: UpdateDelivery,
): Promise<readonly Zone[]> {
  if (kind === 'return' || locationId === undefined || stops.every(({ place }) => place === undefined)) return [];
  return (await vendors.findLocation(locationId))?.zones ?? [];
}

/** The change, or null if everything already is as requested. */
function planUpdate(
  ctx: Pick<Needs, 'vault'>,
  before: Delivery,
  command: UpdateDelivery,
  doer: Doer,
  here: Surroundings,
): Change | null {
  const { ifVersion, stops } = command;
  refuseStale(before, ifVersion);
  refuseEnded(before);
  const edited = stops.map((wanted) => editStop(ctx, before, wanted, pointerOf(stops, wanted), here.zones));
  const changed = [...edited.flatMap(({ changed: fields }) => fields), ...changedOf(before, command)];
  if (changed.length === 0) return null;
  refuseManyEdits(before);
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

/** The fields beside the stops that change. Refuses a lower tip, and a tip that nobody would pay. */
function changedOf(before: Delivery, { tip, custom }: UpdateDelivery): string[] {
  const had = before.tip ?? 0;
  if (tip !== undefined && tip < had) {
    const detail = `\`/tip\` can only rise; it is ${had}, and the request names ${tip}.`;
    throw refuseUpdate('tip_lowered', { detail, errors: [{ pointer: '/tip', code: 'tip_lowered', message: detail }] });
  }
  if (tip !== undefined && tip > had && before.funds === undefined) {
    const detail = 'This delivery is not charged, like every return, so it can have no tip.';
    throw refuseUpdate('not_charged', { detail, errors: [{ pointer: '/tip', code: 'not_charged', message: detail }] });
  }
  return [
    ...(tip === undefined || tip === had ? [] : ['/tip']),
    ...(custom === undefined || isDeepStrictEqual({ ...custom }, { ...before.custom }) ? [] : ['/custom']),
  ];
}

/** The delivery with its search moved to the new windows. Refuses windows that do not fit each other. */
function withWindows(
  before: Delivery,
  moved: Delivery,
  stops: UpdateDelivery['stops'],
  { now, leads }: Surroundings,
): Delivery {
  const windows = (delivery: Delivery) => [delivery.pickup, ...delivery.dropOffs].map(({ window }) => window);
  const [hadPickup = null, ...had] = windows(before);
  const [pickup = null, ...dropOffs] = windows(moved);
  const isPickupMoved = !isDeepStrictEqual(hadPickup, pickup);
  // A window that stays was accepted before. The pickup may have passed by now, or a delay may have overtaken a drop-off.
  const asked = dropOffs.map((window, at) => (!isPickupMoved && isDeepStrictEqual(window, had[at]) ? null : window));
  const later = dropOffs.map((window, at) => withOtherEnd(window, had[at]));
  const { createdAt } = before.times;
  const isPlanned = moved.priority === 'scheduled';
  const no =
    (isPickupMoved ? (judgeReady(pickup, createdAt) ?? (isPlanned ? judgeWindows(pickup, [], now) : null)) : null) ??
    judgePassed(withOtherEnd(pickup, hadPickup), later, now) ??
    (isPlanned ? judgeDropOffs(pickup, asked) : judgeOrder(pickup, asked)) ??
    judgeEnds(isPickupMoved ? pickup : null, asked, createdAt);
  if (no !== null) throw new Refusal(inBody(no, stops));
  return isPickupMoved ? { ...moved, ...searchOf(before, moved, now, leads) } : moved;
}

/** The window if it ends at another time than before; null if not. */
function withOtherEnd(window: Window | null, had: Window | null = null): Window | null {
  return window?.deadlineAt === had?.deadlineAt ? null : window;
}

function searchOf(
  before: Delivery,
  { pickup: { window }, priority, times }: Delivery,
  now: number,
  leads: Surroundings['leads'],
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
