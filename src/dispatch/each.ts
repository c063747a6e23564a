import { Refusal } from '../domain/refusals.ts';

/**
 * Acts on each item while the lease is held. A refusal means that somebody else settled it meanwhile. Another error
 * stops only its item; the first one is thrown at the end, to be logged.
 */
export async function each<T>(
  items: readonly T[],
  isHeld: () => boolean,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (!isHeld()) break;
    try {
      await act(item);
    } catch (error) {
      // One item that cannot be dealt with must not keep the others waiting.
      if (!(error instanceof Refusal)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
