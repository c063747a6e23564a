import type { AlarmId, CourierId, DeliveryId } from './ids.ts';

export const ALARM_KINDS = ['search_too_long', 'courier_silent', 'late'] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** Something a dispatcher should look at. An alarm is open until its cause is gone. Times are service time in ms. */
export type Alarm = {
  readonly id: AlarmId;
  readonly kind: AlarmKind;
  readonly deliveryId: DeliveryId | null;
  readonly courierId: CourierId | null;
  /** The H3 resolution-7 cell where the cause lies. */
  readonly cell: string;
  readonly since: number;
  readonly clearedAt: number | null;
  readonly detail: string;
};
