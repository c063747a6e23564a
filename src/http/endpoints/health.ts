import { Refusal } from '../../domain/refusals/refusals.ts';
import { endpoint } from '../endpoint.ts';
import { HealthView, ReadyView } from '../wire/health.ts';

const tag = 'Service';

/** The checks for supervisors and load balancers. */
export const HEALTH = [
  endpoint({
    route: 'GET /healthz',
    name: 'getHealth',
    tag,
    summary: 'Check that the process is alive, and read its service clock',
    description:
      'Answers while the process runs. `now` is the time of the service clock, which runs faster than real time ' +
      'in simulations.',
    reply: HealthView,
    status: 200,
    run: ({ clock }) => ({ status: 'ok' as const, now: clock.now(), clock_scale: clock.scale }),
  }),
  endpoint({
    route: 'GET /readyz',
    name: 'getReadiness',
    tag,
    summary: 'Check that MongoDB and Redis answer; 503 if they do not',
    description:
      'Answers 200 if this process can reach MongoDB and Redis, and 503 if it cannot, still starts or is ' +
      'shutting down. Load balancers should send requests to ready processes only.',
    reply: ReadyView,
    status: 200,
    run: async ({ health }) => {
      if (!(await health.isReady())) throw new Refusal('busy', { reason: 'not_ready' });
      return { status: 'ready' as const };
    },
  }),
];
