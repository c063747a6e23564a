import type { Api } from '../../clients/api.ts';
import type { DemoFacts } from '../../servers/fleet.ts';
import type { ServiceTime } from '../../clients/service-time.ts';
import type { Session } from '../../../packages/client/src/credentials.ts';

/** Everything that the other users share. */
export type Scene = {
  readonly api: Api;
  readonly facts: DemoFacts;
  readonly staff: Session;
  readonly time: ServiceTime;
};
