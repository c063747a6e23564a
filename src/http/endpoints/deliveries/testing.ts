import { advanceTest, testSteps } from '../../../dispatch/couriers/advance-test.ts';
import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { deliveryAnswer, getVisible } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { AdvanceBody, TestStepsView } from '../../wire/deliveries/test-steps.ts';

const tag = 'Deliveries';

/** Tests of test mode that are taken step by step. */
export const TESTING = [
  endpoint({
    route: 'GET /test/deliveries/{id}/advance',
    name: 'listTestSteps',
    tag,
    summary: 'List the steps that a test can take now',
    description:
      'Returns the steps that are possible now for a delivery of test mode with `test_specifications`, the usual next ' +
      'one first. It changes nothing.',
    id: 'delivery',
    reply: TestStepsView,
    status: 200,
    refuses: [409],
    run: async (ctx, { caller, id }) => {
      const delivery = await getVisible(ctx, caller, id);
      const steps = [...testSteps(delivery)];
      return { object: 'test_steps' as const, delivery_id: id, status: delivery.state, steps };
    },
  }),
  endpoint({
    route: 'POST /test/deliveries/{id}/advance',
    name: 'advanceTest',
    tag,
    summary: 'Take one step of a test at once',
    description:
      'Takes one step of a delivery of test mode with `test_specifications`, as the robo-courier who carries it. The ' +
      'events name `advanced by a test` as `override_reason`, because the robo-courier may be elsewhere. A step that is ' +
      'not possible now is refused, and `metadata.allowed` lists those that are.',
    id: 'delivery',
    body: AdvanceBody,
    reply: DeliveryView,
    status: 200,
    run: async (ctx, { caller, id, body }) => {
      const delivery = await getVisible(ctx, caller, id);
      return deliveryAnswer(ctx, await advanceTest(ctx, delivery, body.to ?? null, caller));
    },
  }),
];
