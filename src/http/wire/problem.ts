import { z } from 'zod';
import { REFUSALS, type RefusalCode } from '../../domain/refusals/refusals.ts';

const CODES = Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]];

/** RFC 9457 problem details, with a code for programs. */
export const ProblemView = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  instance: z.string().exactOptional(),
  code: z
    .enum(CODES)
    .describe(CODES.map((code) => `${code} (${REFUSALS[code].status}): ${REFUSALS[code].title}`).join('; ')),
  reason: z.string().exactOptional(),
  errors: z.array(z.strictObject({ pointer: z.string(), code: z.string(), message: z.string() })).exactOptional(),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
  retryable: z.boolean(),
  request_id: z.string(),
});
