import { z } from 'zod';
import type { RoboSpec } from '../../../domain/deliveries/delivery.ts';
import { FAIL_REASONS, ROBO_OUTCOMES, ROBO_STEPS } from '../../../domain/deliveries/states.ts';
import { explainCodes, FAIL_WORDS } from '../../../domain/views/reason-words.ts';
import { CoordinatesBody } from '../place.ts';
import { named } from './delivery-stops.ts';

/** Less than the hour after which a test without an event ends by itself. */
const LONGEST_STEP_S = 3000;
const MOST_PLACES = 100;

const StepsBody = z.partialRecord(z.enum(ROBO_STEPS), z.number().int().min(0).max(LONGEST_STEP_S));

const RoboBody = z
  .strictObject({
    mode: z
      .enum(['auto', 'custom'])
      .default('auto')
      .describe('`auto` takes 30 s for each step. `custom` takes the times in `steps`. The default is `auto`'),
    time_scale: z
      .number()
      .min(1)
      .max(1000)
      .default(1)
      .describe('How many times faster the robo-courier is than its steps say, 1 to 1000'),
    steps: StepsBody.exactOptional().describe(
      'With `custom` only: seconds from the step before to this one, 0 to 3000. A step that is absent takes 30 s; without `assigned`, the first offer is accepted at once',
    ),
    outcome: z
      .enum(ROBO_OUTCOMES)
      .default('delivered')
      .describe(
        'How the test goes. `failed`: every drop-off fails. `canceled_by_courier`: the first courier gives the delivery back on the way to the pickup, and the next one delivers. `courier_lost`: the first courier falls silent after the assignment, the server takes the delivery from them, and the next one delivers. `no_courier`: nobody accepts, until the search ends',
      ),
    fail_reason: z
      .enum(FAIL_REASONS)
      .exactOptional()
      .describe(
        explainCodes('With `failed` only: why the drop-offs fail. The default is `customer_unavailable`', FAIL_WORDS),
      ),
    gps_trace: z
      .array(CoordinatesBody)
      .min(1)
      .max(MOST_PLACES)
      .exactOptional()
      .describe(
        'At most 100 places that the robo-courier passes from the pickup to the first drop-off, evenly in time',
      ),
  })
  .superRefine(({ mode, steps, outcome, fail_reason: failReason }, issues) => {
    const refuse = (field: string, message: string): void => {
      issues.addIssue({ code: 'custom', path: [field], message });
    };
    if (steps !== undefined && mode === 'auto') refuse('steps', 'must be left out unless `mode` is `custom`');
    if (failReason !== undefined && outcome !== 'failed') {
      refuse('fail_reason', 'must be left out unless `outcome` is `failed`');
    }
  })
  .transform(({ time_scale: timeScale, steps, outcome, fail_reason: failReason, gps_trace: gpsTrace }): RoboSpec => ({
    timeScale,
    ...(outcome === 'delivered' ? {} : { outcome }),
    ...named({ failReason, stepsS: steps, gpsTrace }),
  }));

/** How a delivery of test mode goes. A robo-courier carries it. */
export const TestBody = z
  .strictObject({ robo_courier_specification: RoboBody })
  .transform(({ robo_courier_specification: robo }): RoboSpec => robo);
