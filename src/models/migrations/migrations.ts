import { completeDeliveries } from './complete-deliveries.ts';
import { completeFields } from './complete-fields.ts';
import { dateClosedRows } from './date-closed-rows.ts';
import type { Migration } from './migration.ts';

/**
 * Every change of the stored shape, oldest first; a new one goes to the end. The schema version of a database is the
 * number of migrations that it has begun. A database without a version has version 0: the shape of commit ad730f6, or
 * any shape between that and this table.
 *
 * These differences to version 0 have no row, since reads take both forms and old rows go by themselves or stay as valid:
 * - `deliveries.preparation.delayReason` is absent where nobody gave a reason.
 * - `deliveries.dues` is written by `completeDeliveries`. Until then a delivery without due times is due at once.
 * - `offers.deliveryVersion` is read before an offer is stored and never after. Closed offers without it end like others.
 * - `sessions.holder.resets` is absent in sessions of staff. Such a session is refused once, and ends within 30 days.
 * - `registrations` without a claim on one of the vendor's places are counted as well as those places.
 * - `events` keep what was told: the old `api_version`, and the reason of an override as `reason`. Their mark `webhooks`
 *   is unchanged.
 * - `settings/clock` gets `markMs` and `seenOn` with the first look of a process.
 * - `alarms`, `couriers`, `vendors`, `locations`, `vendor_keys`, `one_time_codes`, `acceptance`, `preparation`, `travel`,
 *   `dispatch_runs`, `decisions`, `regions` and `secrets` have the same fields as before, but for `alarms.endsOn`.
 * - Limits of logins and ended sessions are kept in Redis, where they end within days.
 */
export const MIGRATIONS: readonly Migration[] = [dateClosedRows, completeDeliveries, completeFields];
