import { z } from 'zod';
import { TEST_STEPS } from '../../../dispatch/couriers/advance-test.ts';
import { STATES } from '../../../domain/deliveries/states.ts';
import { idSchema } from '../../../domain/ids.ts';

export const AdvanceBody = z.strictObject({
  to: z.enum(TEST_STEPS).exactOptional().describe('The step to take. The default is the usual next one'),
});

export const TestStepsView = z.strictObject({
  object: z.literal('test_steps'),
  delivery_id: idSchema('del').describe('The delivery'),
  status: z.enum(STATES).describe('Its state'),
  steps: z
    .array(z.enum(TEST_STEPS))
    .describe('The steps that are possible now, the usual next one first. Empty without a courier and after the end'),
});
