import {
  chooseEstimate,
  isUnnamed,
  preparationKeyOf,
  type Ordered,
  type PreparationEstimate,
} from '../../domain/learning/preparation.ts';
import type { Context } from '../../ports/context.ts';

/** How long the goods of each of these orders will take, in one read. Null if their ready time is named. */
export async function estimatePreparation(
  { preparation, settings }: Pick<Context, 'preparation' | 'settings'>,
  orders: readonly Ordered[],
): Promise<readonly (PreparationEstimate | null)[]> {
  const unnamed = orders.filter(isUnnamed);
  const learned = await preparation.findMany(unnamed.map(preparationKeyOf));
  const estimates = new Map(unnamed.map((order, index) => [order, learned[index]]));
  return orders.map((order) => {
    const own = estimates.get(order);
    return own === undefined ? null : chooseEstimate(own, settings.preparation);
  });
}
