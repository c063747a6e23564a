import { setImmediate as turn } from 'node:timers/promises';

/**
 * Turns of the event loop without a request to the stores. Code that continues after an answer makes one within one or
 * two.
 */
const QUIET_TURNS = 3;

/**
 * The same stores, and a function that waits until they have answered all requests. The test's clock stands still
 * meanwhile, so a slow database on a busy machine takes no time of it.
 */
export function settling<T extends object>(stores: T): { readonly stores: T; readonly settled: () => Promise<void> } {
  const underWay = new Set<Promise<unknown>>();
  const note = (result: unknown): unknown => {
    if (!(result instanceof Promise)) return result;
    underWay.add(result);
    const forget = (): void => void underWay.delete(result);
    result.then(forget, forget);
    return result;
  };
  const noting = (part: unknown): unknown => {
    if (typeof part === 'function') return (...given: unknown[]) => note(Reflect.apply(part, undefined, given));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, noting(each)]));
  };
  return {
    stores: noting(stores) as T,
    settled: async () => {
      for (let quiet = 0; quiet < QUIET_TURNS; quiet = underWay.size === 0 ? quiet + 1 : 0) {
        await Promise.allSettled(underWay);
        await turn();
      }
    },
  };
}
