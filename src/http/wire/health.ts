import { z } from 'zod';

/** `now` is service time in epoch ms. Clients that follow the service clock start from it. */
export const HealthView = z.strictObject({ status: z.literal('ok'), now: z.number().int(), clock_scale: z.number() });

export const ReadyView = z.strictObject({ status: z.literal('ready') });
