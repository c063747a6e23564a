// Every attack, in the order in which they run.
import type { Attack } from './attack.ts';
import { connectFlood } from './connect-flood.ts';

export const ATTACKS: readonly Attack[] = [connectFlood];
