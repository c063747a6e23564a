import type { Clock } from '../ports/process.ts';
import { createGroups, type Apart, type RunGroup } from './groups.ts';

/** An input on its way. One that is given up before its group starts is not carried out. */
type Waiting<In> = { readonly input: In; state: 'waiting' | 'started' | 'given up' };

type Bounds = {
  /** How long an input may take, machine time in ms. */
  readonly budgetMs: number;
  /** Inputs that may be under way at once. */
  readonly most: number;
  /** The error for an input that takes too long, or that is one too many. Null: it is waited for. */
  readonly refuse: (hasStarted: boolean) => Error | null;
};

/**
 * The same as `createGroups` with a bound on time and number. An input that has not started in time is refused and never
 * carried out, so a long wait does nothing behind the back of a caller who has given up.
 */
export function createTimelyGroups<In, Out>(
  clock: Pick<Clock, 'real'>,
  run: RunGroup<In, Out>,
  { factsOf = () => [], placesOf = () => [] }: Apart<In>,
  { budgetMs, most, refuse }: Bounds,
): (input: In) => Promise<Out> {
  const late = (): Error => refuse(false) ?? new Error('an input that has not started is refused');
  const startAll: RunGroup<Waiting<In>, Out> = async (group, onConflict) => {
    const started = group.filter(({ state }) => state === 'waiting');
    for (const one of started) one.state = 'started';
    const inputs = started.map(({ input }) => input);
    const results = inputs.length === 0 ? [] : await run(inputs, onConflict);
    const byInput = new Map(started.map((one, index) => [one, results[index]]));
    return group.map((one) => byInput.get(one) ?? { status: 'rejected' as const, reason: late() });
  };
  const settle = createGroups<Waiting<In>, Out>(clock, startAll, {
    factsOf: ({ input }) => factsOf(input),
    // Those that were given up run nothing, so they need no place.
    placesOf: ({ input, state }) => (state === 'given up' ? [] : placesOf(input)),
  });
  let underWay = 0;
  return async (input) => {
    if (underWay === most) throw late();
    const waiting: Waiting<In> = { input, state: 'waiting' };
    const settled = settle(waiting);
    underWay += 1;
    const leave = (): void => void (underWay -= 1);
    void settled.then(leave, leave);
    return new Promise((resolve, reject) => {
      const stop = clock.real.after(budgetMs, () => {
        const error = refuse(waiting.state === 'started');
        if (error === null) return;
        if (waiting.state === 'waiting') waiting.state = 'given up';
        reject(error);
      });
      void settled.then(resolve, reject).finally(stop);
    });
  };
}
