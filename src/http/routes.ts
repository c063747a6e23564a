import type { RouteRow } from './endpoint.ts';
import { AUTH } from './endpoints/auth.ts';
import { COURIERS } from './endpoints/couriers.ts';
import { DELIVERIES } from './endpoints/deliveries.ts';
import { DISPATCH } from './endpoints/dispatch.ts';
import { EXPRESS } from './endpoints/express.ts';
import { HEALTH } from './endpoints/health.ts';
import { READINESS } from './endpoints/readiness.ts';
import { TRACKING } from './endpoints/tracking.ts';
import { WEBHOOKS } from './endpoints/webhooks.ts';
import { PAGES } from './pages/pages.ts';

/** Every route of the server. */
export const ROUTES: readonly RouteRow[] = [
  ...EXPRESS,
  ...COURIERS,
  ...DISPATCH,
  ...DELIVERIES,
  ...TRACKING,
  ...READINESS,
  ...WEBHOOKS,
  ...AUTH,
  ...HEALTH,
  ...PAGES,
];
