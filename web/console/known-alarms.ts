import { computed, signal } from '@preact/signals';
import type { AlarmView } from '../../src/realtime/protocol.ts';
import type { DeliveryView } from '../shared/wire.ts';

type Alarm = Pick<AlarmView, 'id' | 'kind' | 'since' | 'detail' | 'delivery_id'>;
type Alarms = ReadonlyMap<string, Alarm>;
/** An alarm as the list of open alarms contains it. */
export type ListedAlarm = Omit<Alarm, 'delivery_id'> & { readonly delivery: DeliveryView | null };

/** The open alarms. */
export const alarms = signal<Alarms>(new Map());
/** The ids of the deliveries that have an alarm. */
export const alarmed = computed(
  () => new Set([...alarms.value.values()].flatMap(({ delivery_id: id }) => (id === undefined ? [] : [id as string]))),
);

/** Notices that arrive within this machine time are shown together. A console that joins gets one for each open alarm. */
const FLUSH_MS = 80;
/** Alarms that are drawn. Nobody reads more of them at once, and each costs time at every change. */
const MOST_DRAWN = 100;

let waiting: AlarmView[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes the notice that an alarm was raised or cleared. The list is updated a moment later for many notices together. */
export function takeAlarm(alarm: AlarmView): void {
  waiting.push(alarm);
  timer ??= setTimeout(flush, FLUSH_MS);
}

/** The open alarms, with all notices that have arrived. */
export function knownAlarms(): Alarms {
  flush();
  return alarms.value;
}

/** The alarms to draw, oldest first, and how many more are open. */
export function oldestOf(open: Alarms): { readonly drawn: readonly Alarm[]; readonly more: number } {
  const all = [...open.values()].toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
  return { drawn: all.slice(0, MOST_DRAWN), more: Math.max(0, all.length - MOST_DRAWN) };
}

/** Forgets all alarms after a logout. */
export function forgetAlarms(): void {
  waiting = [];
  alarms.value = new Map();
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.length === 0) return;
  const next = new Map(alarms.value);
  for (const alarm of waiting) {
    if (alarm.cleared === true) next.delete(alarm.id);
    else next.set(alarm.id, alarm);
  }
  waiting = [];
  alarms.value = next;
}

/**
 * Takes the list of the open alarms, which adds and removes those whose notice was lost. Notices that arrived since the
 * request are newer than the list.
 * @param known the alarms when the request was sent
 * @param reach the list has no alarm that began before this time, ISO; null if it has all
 */
export function takeAlarms(open: readonly ListedAlarm[], known: Alarms, reach: string | null): void {
  const unlisted = ({ id, since }: Alarm): boolean => !known.has(id) || (reach !== null && since < reach);
  const kept = [...alarms.value.values()].filter(unlisted);
  const listed = open
    .filter(({ id }) => alarms.value.has(id) || !known.has(id))
    .map(({ delivery, ...alarm }) => (delivery === null ? alarm : { ...alarm, delivery_id: delivery.id }));
  alarms.value = new Map([...listed, ...kept].map((alarm) => [alarm.id, alarm]));
}
