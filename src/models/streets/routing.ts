import type { Clock, Log, Metrics } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { createRouter, findRouterBy } from './router.ts';
import { RouterPaces } from './router-paces.ts';
import { StreetRoutes } from './street-routes.ts';

type Needs = {
  /** The address of the server's own Valhalla; null while it does not answer. */
  readonly streetsUrl: (() => string | null) | undefined;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Log;
};

/** Opens the parts that ask a routing server. */
export function openRouting({ streetsUrl, ...needs }: Needs): {
  readonly paces: RouterPaces;
  readonly routes: StreetRoutes;
} {
  const { travel } = needs.settings;
  const router = createRouter(findRouterBy(travel, streetsUrl), travel);
  return { paces: new RouterPaces({ ...needs, router }), routes: new StreetRoutes({ ...needs, router }) };
}
