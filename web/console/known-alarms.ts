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

/** Takes the notice that an alarm was raised or cleared. */
export function takeAlarm(alarm: AlarmView): void {
  const next = new Map(alarms.value);
  if (alarm.cleared === true) next.delete(alarm.id);
  else next.set(alarm.id, alarm);
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
