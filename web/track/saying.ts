import type { TrackDelivery } from '../../src/realtime/protocol.ts';
import { formatOtherDay, formatRangeWhen, formatTime } from '../shared/format.ts';
import { FAILED_WITHOUT_REASON, kindWords, LATE_WORDS, REASON_WORDS, STAGE_WORDS, WORDS } from './words.ts';

/** `headline` is the large line, `detail` the line below it. */
export type Saying = { readonly headline: string; readonly detail: string | null };

const ENDED: readonly TrackDelivery['status'][] = ['delivered', 'failed', 'canceled'];
const WITH_POSITION: readonly TrackDelivery['status'][] = ['picked_up', 'in_transit'];

export function hasEnded({ status }: TrackDelivery): boolean {
  return ENDED.includes(status);
}

/** Says whether the page shows the courier: from the pickup to the end, and only to the next recipient. */
export function showsCourier({ status, stops_before: before }: TrackDelivery): boolean {
  return before === 0 && WITH_POSITION.includes(status);
}

/** The number of stops before this one, and why the map does not show the courier yet; null for the next recipient. */
export function beforeWords({ status, courier, stops_before: before }: TrackDelivery): string | null {
  if (before === 0 || ENDED.includes(status)) return null;
  const why = WITH_POSITION.includes(status)
    ? [WORDS.shownWhenNext(courier?.first_name ?? STAGE_WORDS.theCourier)]
    : [];
  return [WORDS.stopsBefore(before), ...why].join(' ');
}

/** Says whether the courier has arrived at this drop-off. */
export function isHere({ stage }: TrackDelivery): boolean {
  return stage === 'arrived_at_drop_off';
}

/** The delivery without an arrival that has passed. A page that has lost its connection hears of no later one. */
export function withoutPast(delivery: TrackDelivery, now: number): TrackDelivery {
  return delivery.eta === null || now <= Date.parse(delivery.eta.upper_at) ? delivery : { ...delivery, eta: null };
}

/** Age in seconds from which a position says where the courier was, and not where they are. */
const STALE_S = 60;

/** Says whether a position of this time is old. */
export function isStale(at: number, now: number): boolean {
  return (now - at) / 1000 > STALE_S;
}

/** Describes the delivery. The headline is the arrival after a courier is assigned, and the stage before or if it is not known. */
export function sayingOf(delivery: TrackDelivery, locale?: string): Saying {
  const stage = stageWords(delivery, locale);
  if (hasEnded(delivery)) return { headline: stage, detail: endingDetail(delivery) };
  if (isHere(delivery)) return { headline: stage, detail: null };
  if (delivery.eta === null) {
    return { headline: stage, detail: `${WORDS.arrivalUnknown} ${WORDS.askVendor(delivery.vendor.name)}` };
  }
  const { lower_at: from, upper_at: to } = delivery.eta;
  const range = formatRangeWhen(Date.parse(from), Date.parse(to), delivery.clock.now, locale);
  const arriving = kindWords(delivery).arriving(range);
  return delivery.courier === null ? { headline: stage, detail: arriving } : { headline: arriving, detail: stage };
}

/** The stage in words. */
export function stageWords(delivery: TrackDelivery, locale?: string): string {
  const name = delivery.courier?.first_name ?? STAGE_WORDS.someone;
  switch (delivery.status) {
    case 'scheduled':
      return STAGE_WORDS.scheduled;
    case 'searching':
      return STAGE_WORDS.searching;
    case 'assigned':
      return delivery.stage === 'arrived_at_pickup' ? STAGE_WORDS.atPickup(name) : STAGE_WORDS.toPickup(name);
    case 'picked_up':
      return STAGE_WORDS.collected(name);
    case 'in_transit':
      return kindWords(delivery)[isHere(delivery) ? 'here' : 'onTheWay'](name, delivery.vendor.name);
    case 'delivered':
      return deliveredWords(delivery, locale);
    case 'failed':
      return kindWords(delivery).failed(reasonWords(delivery.reason) ?? FAILED_WITHOUT_REASON);
    case 'canceled':
      return STAGE_WORDS.canceled;
  }
}

function deliveredWords(delivery: TrackDelivery, locale: string | undefined): string {
  const { steps, clock } = delivery;
  const words = kindWords(delivery);
  const at = Date.parse(steps.ended_at ?? '');
  const day = Number.isNaN(at) ? null : formatOtherDay(at, clock.now, locale);
  const time = formatTime(at, locale);
  return day === null ? words.delivered(time) : words.deliveredOn(day, time);
}

/** The cause of a delay, by the state of the delivery. */
export function lateWords({ status, stage }: TrackDelivery): string {
  if (status === 'scheduled' || status === 'searching') return LATE_WORDS.searching;
  if (stage === 'arrived_at_pickup') return LATE_WORDS.atPickup;
  return status === 'assigned' ? LATE_WORDS.toPickup : LATE_WORDS.onTheWay;
}

function reasonWords(reason: string | null): string | undefined {
  const words: Readonly<Partial<Record<string, string>>> = REASON_WORDS;
  return words[reason ?? ''];
}

function endingDetail(delivery: TrackDelivery): string | null {
  const { status, reason, vendor } = delivery;
  if (status === 'delivered') return kindWords(delivery).thanks;
  const why = status === 'canceled' ? reasonWords(reason) : undefined;
  return [why, WORDS.askVendor(vendor.name)].filter((part) => part !== undefined).join(' ');
}
