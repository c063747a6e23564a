import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { isoTime } from '../../domain/time.ts';
import { amountOf } from '../../money/amount.ts';
import type { SandboxPayment } from '../../ports/money/sandbox.ts';
import type { HttpContext } from '../http-context.ts';
import { keepPrivate } from '../pages/security-headers.ts';
import { checkoutPage, guardCheckout } from './checkout-page.ts';
import { listPayments } from './list-payments.ts';
import { disputeOf } from './disputes.ts';
import { modeOf } from './modes.ts';
import { addTransfers } from './transfers.ts';
import { resolvePayment, type Wish } from './resolve-payment.ts';
import { sendNotice } from './send-notices.ts';

const MOST_BODY_BYTES = 8192;

const NewPayment = z.strictObject({
  reference: z.string().min(1).max(64),
  amount: z.int().positive(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  return_url: z.string().max(2048).nullable(),
});

/**
 * The sandbox gateway: a payment gateway for test mode, with payments and pages of its own. The rest of the server reaches
 * it over HTTP alone, as it reaches other gateways.
 */
export function createSandbox(ctx: HttpContext): Router {
  const router = express.Router();
  const readJson = express.json({ limit: MOST_BODY_BYTES, type: () => true });
  router.post('/payments', proveServer(ctx), readJson, openPayment(ctx));
  router.get('/payments', proveServer(ctx), listPayments(ctx));
  router.get('/payments/:reference', proveServer(ctx), async (req, res) => {
    const payment = await findClosed(ctx, String(req.params['reference']));
    if (payment === null) res.status(404).json({ error: 'unknown_reference' });
    else answerPayment(ctx, res, 200, payment);
  });
  addTransfers(router, ctx, { proveServer: proveServer(ctx), readJson });
  router.get('/checkout/:reference/:mac', guardCheckout, keepPrivate, async (req, res) => {
    showPage(ctx, res, await findByLink(ctx, req.params));
  });
  router.post('/checkout/:reference/:mac/:wish', guardCheckout, keepPrivate, async (req, res, next) => {
    const { wish } = req.params;
    if (!isWish(wish)) return next();
    await resolvePayment(ctx, await findByLink(ctx, req.params), wish);
    showPage(ctx, res, await findByLink(ctx, req.params));
  });
  return router;
}

/**
 * A payment as its reader may rely on it: once it was reported as expired, nobody can pay it any more. A payer who passed
 * the check of the time just before the expiry comes before that, or is too late.
 */
async function findClosed({ clock, sandbox }: HttpContext, reference: string): Promise<SandboxPayment | null> {
  const payment = await sandbox.find(reference);
  if (payment?.status !== 'open' || clock.now() < payment.expiresAt) return payment;
  await sandbox.resolve(reference, { status: 'expired', paid: null }, { count: 0, dueAt: 0 });
  return sandbox.find(reference);
}

function isWish(text: unknown): text is Wish {
  return text === 'pay' || text === 'decline';
}

/** Only this server calls the sandbox, with a credential that follows from their common secret. */
function proveServer({ sandboxSigner }: HttpContext): RequestHandler {
  return (req, _res, next) => {
    const [scheme, credential = ''] = (req.get('authorization') ?? '').split(' ');
    if (scheme !== 'Bearer' || !sandboxSigner.verify('credential', credential)) throw new Refusal('unauthorized');
    next();
  };
}

function openPayment(ctx: HttpContext): RequestHandler {
  return async (req, res) => {
    const parsed = NewPayment.safeParse(req.body);
    if (!parsed.success) return void res.status(400).json({ error: 'invalid_payment' });
    const { reference, amount, currency, return_url: returnUrl } = parsed.data;
    const now = ctx.clock.now();
    const asked = { reference, amount: amountOf(amount), currency, returnUrl };
    const expiresAt = now + ctx.settings.topUps.checkoutMs;
    const { payment, isNew } = await ctx.sandbox.add({
      ...asked,
      status: 'open',
      paid: null,
      createdAt: now,
      expiresAt,
      notices: 0,
    });
    switch (isNew ? modeOf(payment.amount).opening : undefined) {
      case 'silence':
        // The caller gives up by itself.
        return;
      case 'unavailable':
        return void res.status(503).json({ error: 'unavailable' });
      case 'paid first':
        await payFirst(ctx, payment);
        break;
      case undefined:
        break;
    }
    answerPayment(ctx, res, isNew ? 201 : 200, payment);
  };
}

async function payFirst(ctx: HttpContext, payment: SandboxPayment): Promise<void> {
  await resolvePayment(ctx, payment, 'pay');
  const paid = await ctx.sandbox.find(payment.reference);
  if (paid !== null) await sendNotice(ctx, paid);
}

function answerPayment(ctx: HttpContext, res: Response, status: number, payment: SandboxPayment): void {
  const { reference, paid, expiresAt } = payment;
  res.status(status).json({
    reference,
    status: payment.status,
    paid,
    dispute: disputeOf(payment, ctx.clock.now()),
    checkout_url: `${ctx.settings.http.baseUrl}${pathOf(ctx, reference)}`,
    expires_at: isoTime(expiresAt),
  });
}

/** The path of the page of a payment. It can be made only with the secret of the sandbox. */
function pathOf({ sandboxSigner }: HttpContext, reference: string): string {
  return `/sandbox/checkout/${reference}/${sandboxSigner.sign(`checkout ${reference}`)}`;
}

async function findByLink(ctx: HttpContext, params: Request['params']): Promise<SandboxPayment> {
  const [reference, mac] = [String(params['reference']), String(params['mac'])];
  const isOurs = ctx.sandboxSigner.verify(`checkout ${reference}`, mac);
  const payment = isOurs ? await ctx.sandbox.find(reference) : null;
  if (payment === null) throw new Refusal('route_not_found', { detail: 'The sandbox has no such payment.' });
  return payment;
}

function showPage(ctx: HttpContext, res: Response, payment: SandboxPayment): void {
  res.type('html').send(checkoutPage(payment, pathOf(ctx, payment.reference), ctx.clock.now()));
}
