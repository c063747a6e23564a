/** What time brings: alarms, counts, upkeep. */
import type { Alarm, AlarmKind } from '../domain/alarm.ts';
import type { Courier } from '../domain/couriers/courier.ts';
import type { State } from '../domain/deliveries/states.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { Page, PageRequest } from './pages.ts';
import type { WebhookStage } from './webhooks.ts';

export type AlarmStore = {
  /** Opens an alarm; null when the same one is open already. */
  raise(alarm: Alarm): Promise<Alarm | null>;
  /** Closes alarms of a delivery; all kinds when none is named. Gives the closed ones. */
  clear(deliveryId: DeliveryId, kind?: AlarmKind): Promise<readonly Alarm[]>;
  /** Open alarms, newest first. */
  listOpen(page: PageRequest): Promise<Page<Alarm>>;
  /** The open alarms of this kind of these deliveries; one read for all. */
  findOpen(kind: AlarmKind, deliveryIds: readonly DeliveryId[]): Promise<readonly Alarm[]>;
};

/** What is open in the whole installation now, in groups. Each number goes up to the bound of its store. */
export type Census = {
  readonly deliveries: readonly { readonly state: State; readonly liveMode: boolean; readonly count: number }[];
  readonly couriers: readonly { readonly kind: Courier['kind']; readonly liveMode: boolean; readonly count: number }[];
  readonly alarms: readonly { readonly kind: AlarmKind; readonly count: number }[];
  /** Events without attempts yet, and attempts whose time has come; since when the oldest, null when there is none. */
  readonly webhooks: readonly {
    readonly stage: WebhookStage;
    readonly count: number;
    readonly dueSince: number | null;
  }[];
};

export type CensusStore = { take(now: number): Promise<Census> };

/** Rows that an older version of the server has stored otherwise than this one does. */
export type OldRows = {
  /** One pass over them, while `isHeld`. Gives how many were mended; after a pass that found none it reads none. */
  mend(isHeld: () => boolean): Promise<number>;
};
