import type { Context } from '../ports/context.ts';
import type { AddressRules } from '../webhooks/guard-address.ts';

/** What HTTP needs beside the context of the use cases. */
export type HttpContext = Context & {
  /** The description of the sockets, as the realtime edge makes it. */
  readonly asyncapi: object;
  /** The folder with the built pages. */
  readonly webRoot: string;
  readonly isDevelopment: boolean;
  /** What reads the metrics must send; null when none is set. */
  readonly metricsToken: string | null;
  /** Which addresses may receive webhooks. */
  readonly receivers: AddressRules;
};
