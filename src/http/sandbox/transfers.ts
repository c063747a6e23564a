import type { RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { isoTime } from '../../domain/time.ts';
import { amountOf } from '../../money/amount.ts';
import type { SandboxTransfer } from '../../ports/money/sandbox.ts';
import type { HttpContext } from '../http-context.ts';
import { readSpan, writeNext } from './read-span.ts';
import { refundModeName, stateAt, transferModeName, transferModeOf } from './transfer-modes.ts';

const Money = {
  reference: z.string().min(1).max(64),
  amount: z.int().positive(),
  currency: z.string().regex(/^[A-Z]{3}$/),
};
const NewTransfer = z.strictObject({
  ...Money,
  account: z.strictObject({
    holder_name: z.string().min(1).max(100),
    country: z.string().regex(/^[A-Z]{2}$/),
    number: z.string().regex(/^[0-9A-Z]{4,34}$/),
    bank_code: z.string().max(20).nullable(),
  }),
});
const NewRefund = z.strictObject({ ...Money, payment: z.string().min(1).max(64) });

type Asked = Omit<SandboxTransfer, 'createdAt'>;
/** Reads what a request asks for; a text says why it is refused. */
type Reader = (body: unknown) => Promise<Asked | string> | Asked | string;

/** Adds the transfers and the refunds of the sandbox gateway, which are both money that it pays out. */
export function addTransfers(
  router: Router,
  ctx: HttpContext,
  { proveServer, readJson }: { readonly proveServer: RequestHandler; readonly readJson: RequestHandler },
): void {
  const readers: Readonly<Record<string, Reader>> = {
    transfers: readTransfer,
    refunds: (body) => readRefund(ctx, body),
  };
  for (const [path, read] of Object.entries(readers)) {
    router.post(`/${path}`, proveServer, readJson, makeTransfer(ctx, read));
    router.get(`/${path}/:reference`, proveServer, async (req, res) => {
      const transfer = await ctx.sandboxTransfers.find(String(req.params['reference']));
      if (transfer === null) res.status(404).json({ error: 'unknown_reference' });
      else answerTransfer(ctx, res, 200, transfer);
    });
  }
  router.get('/transfers', proveServer, listTransfers(ctx));
}

/** It keeps how an account behaves, and not the account. */
function readTransfer(body: unknown): Asked | string {
  const { data } = NewTransfer.safeParse(body);
  if (data === undefined) return 'invalid_transfer';
  const { account, amount, ...rest } = data;
  return { ...rest, amount: amountOf(amount), mode: transferModeName(account.number) };
}

/** A payment that nobody has paid, or that is smaller or of another currency, cannot be refunded. */
async function readRefund({ sandbox }: HttpContext, body: unknown): Promise<Asked | string> {
  const { data } = NewRefund.safeParse(body);
  if (data === undefined) return 'invalid_refund';
  const { payment, amount, ...rest } = data;
  const paid = (await sandbox.find(payment))?.paid ?? null;
  if (paid === null || paid.currency !== rest.currency || paid.amount < amount) return 'payment_not_refundable';
  return { ...rest, payment, amount: amountOf(amount), mode: refundModeName(amount) };
}

function makeTransfer(ctx: HttpContext, read: Reader): RequestHandler {
  return async (req, res) => {
    const asked = await read(req.body);
    if (typeof asked === 'string') return void res.status(422).json({ error: asked });
    const { isRefused, opening } = transferModeOf(asked.mode);
    if (isRefused === true) return void res.status(422).json({ error: 'refused' });
    const { transfer, isNew } = await ctx.sandboxTransfers.add({ ...asked, createdAt: ctx.clock.now() });
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

/** Lists the transfers of a span, a page at a time, each as it stands now. Refunds are not among them. */
function listTransfers(ctx: HttpContext): RequestHandler {
  return async (req, res) => {
    const asked = readSpan(req.query);
    if (asked === null) return void res.status(400).json({ error: 'invalid_query' });
    const found = await ctx.sandboxTransfers.list(asked.span, asked.page);
    const items = found.items.filter(({ payment }) => payment === undefined);
    const transfers = items.map((transfer) => ({
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
