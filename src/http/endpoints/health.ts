import { Refusal } from '../../domain/refusals/refusals.ts';
import { endpoint } from '../endpoint.ts';
import { HealthView, ReadyView } from '../wire/health.ts';

const tag = 'Service';

/** The checks for supervisors and load balancers. */
export const HEALTH = [
  endpoint({
    route: 'GET /healthz',
    tag,
    summary: 'Check that the process is alive, and read its service clock',
    reply: HealthView,
    status: 200,
    run: ({ clock }) => ({ status: 'ok' as const, now: clock.now(), clock_scale: clock.scale }),
  }),
  endpoint({
    route: 'GET /readyz',
    tag,
    summary: 'Check that MongoDB and Redis answer; 503 if they do not',
    reply: ReadyView,
    status: 200,
    run: async ({ health }) => {
      if (!(await health.isReady())) throw new Refusal('busy', { reason: 'not_ready' });
      return { status: 'ready' as const };
    },
  }),
];
