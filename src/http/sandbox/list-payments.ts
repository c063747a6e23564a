import type { RequestHandler } from 'express';
import { isoTime } from '../../domain/time.ts';
import { shareAt } from '../../money/rates.ts';
import type { HttpContext } from '../http-context.ts';
import { readSpan, writeNext } from './read-span.ts';

/** The sandbox keeps 1.5 % of each payment, as much as many gateways. */
const FEE_BP = 150;

/** Lists the paid payments of a span, a page at a time. `next` of a page leads to the following one. */
export function listPayments({ sandbox }: HttpContext): RequestHandler {
  return async (req, res) => {
    const asked = readSpan(req.query);
    if (asked === null) return void res.status(400).json({ error: 'invalid_query' });
    const found = await sandbox.listPaid(asked.span, asked.page);
    const payments = found.items.map(({ reference, paid, createdAt }) => ({
      reference,
      ...paid,
      fee: shareAt(paid?.amount ?? 0, FEE_BP),
      created_at: isoTime(createdAt),
    }));
    res.json({ payments, next: writeNext(found) });
  };
}
