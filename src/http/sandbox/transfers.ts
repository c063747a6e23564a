import type { RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { isoTime } from '../../domain/time.ts';
import { amountOf } from '../../money/amount.ts';
import type { SandboxTransfer } from '../../ports/money/sandbox.ts';
import type { HttpContext } from '../http-context.ts';
import { readSpan, writeNext } from './read-span.ts';
import { stateAt, transferModeName, transferModeOf } from './transfer-modes.ts';

const NewTransfer = z.strictObject({
  reference: z.string().min(1).max(64),
  amount: z.int().positive(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  account: z.strictObject({
    holder_name: z.string().min(1).max(100),
    country: z.string().regex(/^[A-Z]{2}$/),
    number: z.string().regex(/^[0-9A-Z]{4,34}$/),
    bank_code: z.string().max(20).nullable(),
  }),
});

/** Adds the transfers of the sandbox gateway. It keeps how an account behaves, and not the account. */
export function addTransfers(
  router: Router,
  ctx: HttpContext,
  { proveServer, readJson }: { readonly proveServer: RequestHandler; readonly readJson: RequestHandler },
): void {
  router.post('/transfers', proveServer, readJson, makeTransfer(ctx));
  router.get('/transfers', proveServer, listTransfers(ctx));
  router.get('/transfers/:reference', proveServer, async (req, res) => {
    const transfer = await ctx.sandboxTransfers.find(String(req.params['reference']));
    if (transfer === null) res.status(404).json({ error: 'unknown_reference' });
    else answerTransfer(ctx, res, 200, transfer);
  });
}

function makeTransfer(ctx: HttpContext): RequestHandler {
  return async (req, res) => {
    const parsed = NewTransfer.safeParse(req.body);
    if (!parsed.success) return void res.status(400).json({ error: 'invalid_transfer' });
    const { reference, amount, currency, account } = parsed.data;
    const mode = transferModeName(account.number);
    const { isRefused, opening } = transferModeOf(mode);
    if (isRefused === true) return void res.status(422).json({ error: 'account_refused' });
    const asked = { reference, amount: amountOf(amount), currency, mode, createdAt: ctx.clock.now() };
    const { transfer, isNew } = await ctx.sandboxTransfers.add(asked);
    switch (isNew ? opening : undefined) {
      case 'silence':
        // The caller gives up by itself.
        return;
      case 'unavailable':
        return void res.status(503).json({ error: 'unavailable' });
      case undefined:
        answerTransfer(ctx, res, isNew ? 201 : 200, transfer);
    }
  };
}

/** Lists the transfers of a span, a page at a time, each as it stands now. */
function listTransfers(ctx: HttpContext): RequestHandler {
  return async (req, res) => {
    const asked = readSpan(req.query);
    if (asked === null) return void res.status(400).json({ error: 'invalid_query' });
    const found = await ctx.sandboxTransfers.list(asked.span, asked.page);
    const transfers = found.items.map((transfer) => ({
      ...toldOf(ctx, transfer),
      created_at: isoTime(transfer.createdAt),
    }));
    res.json({ transfers, next: writeNext(found) });
  };
}

function answerTransfer(ctx: HttpContext, res: Response, code: number, transfer: SandboxTransfer): void {
  res.status(code).json(toldOf(ctx, transfer));
}

/** The transfer as the sandbox reports it now. */
function toldOf({ clock }: HttpContext, transfer: SandboxTransfer) {
  const { reference, mode: name, createdAt } = transfer;
  const mode = transferModeOf(name);
  const { amount, currency } = mode.reports?.(transfer) ?? transfer;
  return { reference, amount, currency, ...stateAt(mode, clock.now() - createdAt) };
}
