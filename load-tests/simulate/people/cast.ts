import type { Receiver } from './receiver.ts';
import type { Watchers } from './watchers.ts';
import type { World } from './world.ts';

/** Everybody in a run who is not a courier. */
export type Cast = { readonly world: World; readonly receiver: Receiver; readonly watchers: Watchers };
