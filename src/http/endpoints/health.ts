import { Refusal } from '../../domain/refusals/refusals.ts';
import { endpoint } from '../endpoint.ts';
import { HealthView, ReadyView } from '../wire/health.ts';

const tag = 'Service';

/** What supervisors ask. */
export const HEALTH = [
  endpoint({
    route: 'GET /healthz',
    tag,
    summary: 'Say that the process lives, and what its service clock shows',
    reply: HealthView,
    status: 200,
    run: ({ clock }) => ({ status: 'ok' as const, now: clock.now(), clock_scale: clock.scale }),
  }),
  endpoint({
    route: 'GET /readyz',
    tag,
    summary: 'Say whether the engines answer; 503 when they do not',
    reply: ReadyView,
    status: 200,
    run: async ({ health }) => {
      if (!(await health.isReady())) throw new Refusal('busy', { reason: 'not_ready' });
      return { status: 'ready' as const };
    },
  }),
];
