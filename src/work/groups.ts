import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../ports/process.ts';
import { createRests, REST_MS } from './rests.ts';

/** The most inputs of one group. A full group starts at once. */
const MOST = 64;
/** The usual patience with a group, machine time. Its connection may hang. */
const PATIENCE_MS = 20;

/**
 * Runs a group. Returns the result of each input, in their order. If it rejects, every input gets the error.
 * @param onConflict tells that somebody else works on a place of the group
 */
export type RunGroup<In, Out> = (
  inputs: readonly In[],
  onConflict: () => void,
) => Promise<readonly PromiseSettledResult<Out>[]>;

/** Which inputs must not run together. */
export type Apart<In> = {
  /** Two inputs that share a fact never go into one group. */
  readonly factsOf?: (input: In) => readonly string[];
  /** Two groups that are under way at once never share a place. An input waits until its places are free. */
  readonly placesOf?: (input: In) => readonly string[];
};

/** The settings of one use of groups. */
type Options<In> = Apart<In> & {
  /** A group that takes longer than this holds up the next one no more, machine time in ms. Usually 20. */
  readonly patienceMs?: number;
};

type Waiting<In, Out> = {
  readonly input: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * Runs inputs in groups. While a group is under way, further inputs wait and go together into the next one. So an idle
 * process waits for nothing, and a busy one sends fewer commands. No input waits longer than `patienceMs` for a group to end,
 * unless the group has one of its places, or the place rests. For 10 s after a conflict, the places of a group rest 25 ms
 * after each of their groups, so that others get them too (ADR 109).
 * A group works for several requests, so it runs in the context of none of them: it is not confined to a tenant, and its
 * inputs must be checked before.
 */
export function createGroups<In, Out>(
  clock: Pick<Clock, 'real'>,
  run: RunGroup<In, Out>,
  { factsOf = () => [], placesOf = () => [], patienceMs = PATIENCE_MS }: Options<In> = {},
): (input: In) => Promise<Out> {
  const asOwn = AsyncLocalStorage.snapshot();
  let waiting: Waiting<In, Out>[] = [];
  /** The group, or the turn of the event loop, that the waiting inputs wait for. */
  let ahead: object | null = null;
  const taken = createPlaces(clock);
  const next = () => nextGroup(waiting, factsOf, (input) => !placesOf(input).some(taken.has));
  // A look at every arrival would take quadratic time while thousands wait for one place.
  const isFull = (): boolean => waiting.length % MOST === 0 && next().group.length === MOST;
  const start = (): void => {
    const { group, rest } = next();
    // All that wait here need a place. The end of the group that has it, or of its rest, comes here again.
    if (group.length === 0) return;
    waiting = rest;
    ahead = group;
    const places = new Set(group.flatMap(({ input }) => placesOf(input)));
    taken.take(places);
    const stop = clock.real.after(patienceMs, () => letNext(group));
    void asOwn(() => runGroup((inputs) => run(inputs, () => taken.noteConflict(places)), group)).then(() => {
      stop();
      taken.leave(places, startWaiting);
      if (ahead === group) ahead = null;
      startWaiting();
    });
  };
  const startWaiting = (): void => {
    if (ahead === null && waiting.length > 0) start();
  };
  const letNext = (done: object): void => {
    if (ahead !== done) return;
    ahead = null;
    startWaiting();
  };
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (isFull()) start();
      else if (ahead === null) {
        // Inputs of the same turn of the event loop go together.
        const turn = {};
        ahead = turn;
        setImmediate(() => letNext(turn));
      }
    });
}

/** The first inputs that are free to run and share no fact, and the others. */
function nextGroup<In, Out>(
  waiting: readonly Waiting<In, Out>[],
  factsOf: (input: In) => readonly string[],
  isFree: (input: In) => boolean,
): { readonly group: readonly Waiting<In, Out>[]; readonly rest: Waiting<In, Out>[] } {
  const facts = new Set<string>();
  const [group, rest]: [Waiting<In, Out>[], Waiting<In, Out>[]] = [[], []];
  for (const one of waiting) {
    const own = factsOf(one.input);
    const fits = group.length < MOST && isFree(one.input) && !own.some((fact) => facts.has(fact));
    (fits ? group : rest).push(one);
    if (fits) for (const fact of own) facts.add(fact);
  }
  return { group, rest };
}

/** The places of all groups that are under way, and those that rest. */
function createPlaces(clock: Pick<Clock, 'real'>) {
  const taken = new Set<string>();
  const rests = createRests(clock);
  return {
    has: (place: string): boolean => taken.has(place),
    take: (places: ReadonlySet<string>): void => {
      for (const place of places) taken.add(place);
    },
    noteConflict: rests.note,
    /** Frees the places. Those that rest are free later, all at once, and `onFree` is called then. */
    leave: (places: ReadonlySet<string>, onFree: () => void): void => {
      const resting: string[] = [];
      for (const place of places) {
        if (rests.mustRest(place)) resting.push(place);
        else taken.delete(place);
      }
      if (resting.length === 0) return;
      void clock.real.pause(REST_MS).then(() => {
        for (const place of resting) taken.delete(place);
        onFree();
      });
    },
  };
}

/** Runs the group and settles its inputs. Never rejects. */
async function runGroup<In, Out>(
  run: (inputs: readonly In[]) => ReturnType<RunGroup<In, Out>>,
  group: readonly Waiting<In, Out>[],
): Promise<void> {
  try {
    const results = await run(group.map(({ input }) => input));
    for (const [index, { resolve, reject }] of group.entries()) {
      const result = results[index];
      if (result?.status === 'fulfilled') resolve(result.value);
      else reject(result?.reason ?? new Error('a group must have a result for each of its inputs'));
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
