/** Due work: alarms, counts, upkeep. */
import type { Alarm, AlarmKind } from '../../domain/alarm.ts';
import type { Courier } from '../../domain/couriers/courier.ts';
import type { State } from '../../domain/deliveries/states.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import type { LastCheck } from '../../money/ledger/check.ts';
import type { Page, PageRequest } from '../pages.ts';
import type { WebhookStage } from '../webhooks.ts';

export type AlarmStore = {
  /** Opens an alarm. Returns null if the same alarm is already open. */
  raise(alarm: Alarm): Promise<Alarm | null>;
  /** Closes the alarms of a delivery, of this kind or of all kinds. Returns the closed ones. */
  clear(deliveryId: DeliveryId, kind?: AlarmKind): Promise<readonly Alarm[]>;
  /** Open alarms, newest first. */
  listOpen(page: PageRequest): Promise<Page<Alarm>>;
  /** The open alarms of this kind for these deliveries, in one read. */
  findOpen(kind: AlarmKind, deliveryIds: readonly DeliveryId[]): Promise<readonly Alarm[]>;
};

/**
 * Everything that is open in the whole installation now, in groups. Each number counts up to the bound of its store.
 */
export type Census = {
  readonly deliveries: readonly { readonly state: State; readonly liveMode: boolean; readonly count: number }[];
  readonly couriers: readonly { readonly kind: Courier['kind']; readonly liveMode: boolean; readonly count: number }[];
  readonly alarms: readonly { readonly kind: AlarmKind; readonly count: number }[];
  /** Events without attempts yet, and due attempts. `since` is when the oldest was due; null if there is none. */
  readonly webhooks: readonly {
    readonly stage: WebhookStage;
    readonly count: number;
    readonly dueSince: number | null;
  }[];
  /** Events that the roll-ups have not counted yet. */
  readonly analytics: { readonly count: number; readonly dueSince: number | null };
  /** The last check of the ledger; null if there was none. */
  readonly ledger: LastCheck | null;
};

export type CensusStore = { take(now: number): Promise<Census> };

/** The result of a pass over the rows of one migration. `rows` is how many it changed. */
export type Filled = { readonly migration: string; readonly rows: number; readonly isDone: boolean };

/** Brings the rows of older versions of the server to the present shape. */
export type Fills = {
  /** Does the due passes while `ownsLease`. Returns those that ended. */
  work(ownsLease: () => boolean): Promise<readonly Filled[]>;
};

/** Members of the context that this file describes. */
export type DuePorts = {
  readonly alarms: AlarmStore;
};
