import type { Receiver } from './receiver.ts';
import type { Watchers } from './watchers.ts';
import type { World } from './world.ts';

/** All participants of a run except the couriers. */
export type Cast = { readonly world: World; readonly receiver: Receiver; readonly watchers: Watchers };
