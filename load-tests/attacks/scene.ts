import type { Api } from '../simulate/api.ts';
import type { DemoFacts } from '../simulate/fleet.ts';
import type { ServiceTime } from '../simulate/service-time.ts';
import type { Session } from '../simulate/session.ts';

/** What the other users share. */
export type Scene = {
  readonly api: Api;
  readonly facts: DemoFacts;
  readonly staff: Session;
  readonly time: ServiceTime;
};
