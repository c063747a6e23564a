import { Refusal } from '../domain/refusals/refusals.ts';

/**
 * Acts on each item while this process owns the lease, on as many as `atOnce` at a time. A refusal means that another
 * caller settled the item in the meantime. Any other error stops only its item. The first such error is thrown at the
 * end, so that it is logged.
 */
export async function each<T>(
  items: readonly T[],
  ownsLease: () => boolean,
  act: (item: T) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = items.values();
  const actOnNext = async (): Promise<void> => {
    for (const item of waiting) {
      if (!ownsLease()) break;
      try {
        await act(item);
      } catch (error) {
        // One failing item must not keep the others waiting.
        if (!(error instanceof Refusal)) failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, actOnNext));
  if (failures.length > 0) throw failures[0];
}
