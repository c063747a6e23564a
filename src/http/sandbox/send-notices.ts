import { request } from 'undici';
import type { Context } from '../../ports/context.ts';
import type { SandboxPayment } from '../../ports/money/sandbox.ts';
import { each } from '../../work/each.ts';
import { startLed } from '../../work/hold-lease.ts';
import type { HttpContext } from '../http-context.ts';
import { noticesOf } from './disputes.ts';
import { modeOf } from './modes.ts';

type Sending = Pick<HttpContext, 'ownUrl' | 'sandbox' | 'sandboxSigner' | 'settings'>;
type Needs = Sending & Pick<Context, 'clock' | 'leases' | 'log'>;

/** Machine time between two looks for due callbacks. */
const EVERY_MS = 1000;
/** Callbacks that one turn claims, and that it sends at the same time. */
const BATCH = 64;
const AT_ONCE = 8;

/** Sends the callbacks of the sandbox, in one process at a time. A failed one is sent again after a pause that grows. */
export function startNotices(ctx: Needs): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'sandbox callbacks',
    everyMs: 0,
    leastRealMs: EVERY_MS,
    turn: async (ownsLease) => {
      await sendDue(ctx, ownsLease);
    },
  });
}

/** Sends the callbacks that are due now, up to a bound. */
export async function sendDue(ctx: Sending, ownsLease: () => boolean): Promise<void> {
  const due = await ctx.sandbox.claimNotices(BATCH);
  await each(due, ownsLease, (payment) => sendNotice(ctx, payment), AT_ONCE);
}

/** Sends the next callback of a payment, and records it if the receiver has accepted it. */
export async function sendNotice(ctx: Sending, payment: SandboxPayment): Promise<void> {
  const { ownUrl, sandbox, sandboxSigner, settings } = ctx;
  const { reference, amount, notices } = payment;
  const [notice, next] = noticesOf(payment).slice(-Math.max(notices, 1));
  if (notice === undefined) return;
  const body = JSON.stringify({ type: notice.type, reference });
  const signature = modeOf(amount).signature === 'wrong' ? 'wrong' : sandboxSigner.sign(`callback ${body}`);
  const headers = { 'content-type': 'application/json', 'x-sandbox-signature': signature };
  const signal = AbortSignal.timeout(settings.topUps.requestRealMs);
  const answer = await request(`${ownUrl}/gateways/sandbox/callbacks`, { method: 'POST', headers, body, signal });
  await answer.body.dump();
  if (answer.statusCode === 200) await sandbox.recordNotice(payment, next?.dueAt ?? null);
}
