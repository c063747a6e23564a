import type { Delivery } from '../domain/delivery.ts';
import type { DeliveryId } from '../domain/ids.ts';
import { chooseEstimate, isUnnamed, preparationKeyOf, type PreparationEstimate } from '../domain/preparation.ts';
import type { Context } from '../ports.ts';

/**
 * How long the goods of these deliveries will take, of those whose ready time nobody has said; the others have no entry.
 * One read, however many deliveries.
 */
export async function estimatePreparation(
  { preparation, settings }: Pick<Context, 'preparation' | 'settings'>,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<DeliveryId, PreparationEstimate>> {
  const unnamed = deliveries.filter(isUnnamed);
  const learned = await preparation.findMany(unnamed.map(preparationKeyOf));
  return new Map(
    unnamed.flatMap(({ id }, index) => {
      const own = learned[index];
      return own === undefined ? [] : [[id, chooseEstimate(own, settings.preparation)] as const];
    }),
  );
}
