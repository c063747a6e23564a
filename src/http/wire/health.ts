import { z } from 'zod';

/** `now` is service time in epoch ms: clients that share our clock count from it. */
export const HealthView = z.strictObject({ status: z.literal('ok'), now: z.number().int(), clock_scale: z.number() });

export const ReadyView = z.strictObject({ status: z.literal('ready') });
