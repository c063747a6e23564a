import type { Delivery } from '../domain/delivery.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { State } from '../domain/states.ts';
import type { Context } from '../ports.ts';

/** Deliveries that one turn of a sweep looks at. */
const PAGE = 500;

export type Turn = (isHeld: () => boolean) => Promise<void>;

/** Makes a turn that looks at all deliveries in these states, a page each time; the next turn goes on behind it. */
export function sweep(
  ctx: Pick<Context, 'deliveries'>,
  states: readonly State[],
  act: (page: readonly Delivery[], isHeld: () => boolean) => Promise<void>,
): Turn {
  let after: DeliveryId | null = null;
  return async (isHeld) => {
    const page = await ctx.deliveries.listByState(states, PAGE, after);
    after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
    if (page.length > 0) await act(page, isHeld);
  };
}
