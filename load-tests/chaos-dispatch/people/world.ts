import type { Random } from '../../random.ts';
import type { Api } from '../../clients/api.ts';
import type { ServiceTime } from '../../clients/service-time.ts';
import type { Session } from '../../../packages/client/src/credentials.ts';
import type { Coordinates } from '../../day/day.ts';
import type { Answers } from '../judge/answers.ts';

/** A corner of three regions, with the couriers who wait there. */
export type Meeting = { readonly point: Coordinates; readonly crew: readonly string[] };

/** Everything that the couriers and vendors of a run share. */
export type World = {
  readonly addresses: readonly string[];
  readonly time: ServiceTime;
  readonly random: Random;
  readonly answers: Answers;
  readonly counts: Counts;
  readonly vendorKey: string;
  readonly staff: Session;
  readonly meetings: readonly Meeting[];
  /** A client that starts with a different address than the last one. */
  readonly newApi: () => Api;
};

/** Counts of what happened, by name. */
export type Counts = { add(what: string): void; all(): Record<string, number> };

/** Counts, all at zero. */
export function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    add: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    all: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}
