import type { RequestHandler } from 'express';
import { z } from 'zod';
import { isoTime } from '../../domain/time.ts';
import type { HttpContext } from '../http-context.ts';

const MOST_LISTED = 100;
const Query = z.object({
  from: z.coerce.number().int(),
  to: z.coerce.number().int(),
  after: z
    .string()
    .regex(/^\d+~.+$/)
    .optional(),
});

/** Lists the paid payments of a span, a page at a time. `next` of a page leads to the following one. */
export function listPayments({ sandbox }: HttpContext): RequestHandler {
  return async (req, res) => {
    const parsed = Query.safeParse(req.query);
    if (!parsed.success) return void res.status(400).json({ error: 'invalid_query' });
    const { from, to, after } = parsed.data;
    const { items, next } = await sandbox.listPaid({ from, to }, { limit: MOST_LISTED, after: markOf(after) });
    res.json({
      payments: items.map(({ reference, paid, createdAt }) => ({ reference, ...paid, created_at: isoTime(createdAt) })),
      next: next === null ? null : `${next.at}~${next.id}`,
    });
  };
}

function markOf(after: string | undefined) {
  if (after === undefined) return null;
  const [at = '', id = ''] = after.split('~');
  return { at: Number(at), id };
}
