import { dateIn } from '../../domain/analytics/local-date.ts';
import { changesOf, type AuditActor } from '../../domain/audit.ts';
import { Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import { UTC } from '../../domain/vendors/time-zone.ts';
import type { Context } from '../../ports/context.ts';
import { amountOf } from '../amount.ts';
import { transferringIn } from './find-gateway.ts';
import { batchIdOf, type PayoutBatch } from './payout.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'gateways' | 'payouts'>;

const NO_TRANSFERS =
  'This server has no payment gateway that makes transfers in this mode and currency, so couriers cannot be paid.';
const DAY_MS = 86_400_000;
/** Days that the date of a batch may lie in the past, so that a retry after midnight can name the same batch. */
const MOST_DAYS_BACK = 7;

/**
 * Asks for the payouts of a mode, a currency and a date: by default the day of `askedAt`, service time in ms. The server
 * then makes them in the background. A batch that exists is returned as it is. Refuses `no_gateway`.
 */
export async function requestBatch(
  ctx: Needs,
  asked: {
    readonly liveMode: boolean;
    readonly currency: string;
    readonly date: string | null;
    readonly askedAt: number;
  },
  requestedBy: AuditActor,
): Promise<PayoutBatch> {
  const { liveMode, currency } = asked;
  const now = ctx.clock.now();
  const today = dateIn(UTC, now);
  const date = asked.date ?? dateIn(UTC, asked.askedAt);
  if (date > today || date < dateIn(UTC, now - MOST_DAYS_BACK * DAY_MS))
    throw refuseField(
      '/date',
      'out_of_range',
      `must be today in UTC, ${today}, or one of the ${MOST_DAYS_BACK} days before`,
    );
  const gateway = transferringIn(ctx, asked);
  if (gateway === null) throw new Refusal('no_gateway', { detail: NO_TRANSFERS });
  const batch: PayoutBatch = {
    id: batchIdOf(liveMode, currency, date),
    liveMode,
    currency,
    date,
    gateway: gateway.name,
    requestedBy,
    state: 'making',
    after: null,
    payouts: 0,
    amount: amountOf(0),
    createdAt: now,
    failures: 0,
  };
  const changes = changesOf(null, { currency, date });
  const audited = { action: 'payout.process', objectId: batch.id, vendorId: null, liveMode, changes } as const;
  return ctx.payouts.addBatch(batch, ctx.audit.draft(audited, requestedBy));
}
