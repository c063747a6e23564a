import { Refusal } from '../domain/refusals/refusals.ts';

/**
 * Acts on each item while the lease is held, on as many `atOnce`. A refusal means that somebody else settled it meanwhile.
 * Another error stops only its item; the first one is thrown at the end, to be logged.
 */
export async function each<T>(
  items: readonly T[],
  isHeld: () => boolean,
  act: (item: T) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = items.values();
  const actOnNext = async (): Promise<void> => {
    for (const item of waiting) {
      if (!isHeld()) break;
      try {
        await act(item);
      } catch (error) {
        // One item that cannot be dealt with must not keep the others waiting.
        if (!(error instanceof Refusal)) failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, actOnNext));
  if (failures.length > 0) throw failures[0];
}
