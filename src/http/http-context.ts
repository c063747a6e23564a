import type { Context } from '../ports/context.ts';
import type { AddressRules } from '../webhooks/guard-address.ts';
import type { PageMap } from './pages/page-map.ts';

/** The context of HTTP: that of the use cases and more. */
export type HttpContext = Context & {
  /** The folder with the built pages. */
  readonly webRoot: string;
  readonly map: PageMap;
  readonly isDevelopment: boolean;
  /** The address of this process on its own machine. */
  readonly ownUrl: string;
  /** The token that scrapers of the metrics must send; null if it is not set. */
  readonly metricsToken: string | null;
  /** The rules for addresses that receive webhooks. */
  readonly receivers: AddressRules;
};
