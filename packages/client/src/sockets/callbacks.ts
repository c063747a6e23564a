/**
 * The same options, whose callbacks end nothing if they throw. The error of a callback is an unhandled rejection, wherever the
 * client has called it.
 */
export function shield<O extends object>(options: O): O {
  const shielded = Object.entries(options).flatMap(([name, value]: [string, unknown]) =>
    name.startsWith('on') && typeof value === 'function'
      ? // An async function returns its error as a rejection, and runs at once otherwise.
        [[name, async (...inputs: readonly unknown[]) => void value(...inputs)] as const]
      : [],
  );
  return { ...options, ...Object.fromEntries(shielded) };
}
