import { z } from 'zod';
import { isoTime } from '../../../domain/time.ts';
import { idSchema } from '../../../domain/ids.ts';
import type { Quote } from '../../../domain/deliveries/quote.ts';

export const QuoteView = z.strictObject({
  id: idSchema('qte'),
  object: z.literal('quote'),
  live_mode: z.boolean(),
  priority: z.enum(['express', 'scheduled']),
  fee: z.number().int(),
  currency: z.string(),
  fee_breakdown: z.array(z.strictObject({ type: z.string(), amount: z.number().int() })),
  distance_m: z.number().int(),
  duration_s: z.number().int(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

export function presentQuote(quote: Quote): z.output<typeof QuoteView> {
  return {
    id: quote.id,
    object: 'quote',
    live_mode: quote.liveMode,
    priority: quote.priority,
    fee: quote.fee,
    currency: quote.currency,
    fee_breakdown: quote.feeBreakdown.map((line) => ({ ...line })),
    distance_m: quote.distanceM,
    duration_s: quote.durationS,
    created_at: isoTime(quote.createdAt),
    expires_at: isoTime(quote.expiresAt),
  };
}
