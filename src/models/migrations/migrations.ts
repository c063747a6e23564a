import { completeDeliveries, indexOrders, indexWords, spellWords } from './complete-deliveries.ts';
import { completeFields } from './complete-fields.ts';
import { dateClosedRows } from './date-closed-rows.ts';
import { indexCarried } from './index-carried.ts';
import { indexCouriers } from './index-couriers.ts';
import { indexDueModes } from './index-due-modes.ts';
import { indexLiveCredentials } from './index-live-credentials.ts';
import type { Migration } from './migration.ts';

/**
 * Every change of the stored shape, oldest first. A new one goes to the end. The schema version of a database is the
 * number of migrations that it has begun. A database without a version has version 0: the shape of commit ad730f6, or
 * any shape between that and this table.
 *
 * The differences to version 0 below have no migration. Reads accept both forms, and old rows expire or stay valid.
 * - `deliveries.preparation.delayReason` is absent if the vendor gave no reason, and `waitsFromAt` if the vendor neither
 *   delayed the pickup nor reported ready goods after the courier had arrived.
 * - `deliveries.dues` is written by `completeDeliveries`. Until then a delivery without due times is due at once.
 * - `offers.deliveryVersion` is read before an offer is stored and never after. Closed offers without it end like others.
 * - `sessions.holder.resets` is absent in sessions of staff. Such a session is refused once, and ends within 30 days.
 * - `registrations` without a claim on one of the vendor's places are counted as well as those places.
 * - `events` stay as they were published: with the old `api_version`, and the reason of an override as `reason`. Their
 *   mark `webhooks` is unchanged.
 * - `settings/clock` gets `markMs` and `seenOn` when a process first reads it.
 * - `alarms`, `couriers`, `vendors`, `locations`, `vendor_keys`, `one_time_codes`, `acceptance`, `preparation`, `travel`,
 *   `dispatch_runs`, `decisions`, `regions` and `secrets` have the same fields as before, except for `alarms.endsOn`.
 * - Limits of logins and ended sessions are kept in Redis, where they expire within days.
 */
export const MIGRATIONS: readonly Migration[] = [
  dateClosedRows,
  completeDeliveries,
  completeFields,
  indexWords,
  indexCouriers,
  indexCarried,
  indexLiveCredentials,
  indexDueModes,
  indexOrders,
  spellWords,
];
