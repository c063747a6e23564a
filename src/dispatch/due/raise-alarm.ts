import type { Alarm } from '../../domain/alarm.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { Stop } from '../../domain/deliveries/stops/stop.ts';
import { viewCellOf } from '../../domain/geo/geo.ts';
import { newId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';

/** Raises an alarm about a delivery and informs the dispatchers. If the same alarm is already open, nothing happens. */
export async function raiseAlarm(
  ctx: Pick<Context, 'alarms' | 'notices'>,
  { id, pickup, courierId }: Pick<Delivery, 'id' | 'courierId'> & { readonly pickup: Pick<Stop, 'place'> },
  cause: Pick<Alarm, 'kind' | 'since' | 'detail'>,
): Promise<void> {
  const alarm = await ctx.alarms.raise({
    ...cause,
    id: newId('alm'),
    deliveryId: id,
    courierId,
    cell: viewCellOf(pickup.place),
    clearedAt: null,
  });
  if (alarm !== null) ctx.notices.alarm(alarm);
}
