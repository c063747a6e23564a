import { assignmentOf } from '../../domain/deliveries/delivery.ts';
import type { Carried } from '../../domain/deliveries/carried.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { Context } from '../../ports/context.ts';
import { each } from '../../work/each.ts';
import type { MoveNeeds } from '../move-delivery.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { unassignCourier } from '../offers/unassign-courier.ts';

type Needs = MoveNeeds & Pick<Context, 'alarms' | 'settings'>;

export type Contact = {
  /**
   * Looks at all carried deliveries. Raises an alarm for a silent courier, and unassigns a lost one who has not collected.
   */
  look(carried: readonly Carried[], ownsLease: () => boolean): Promise<void>;
  /** The deliveries among these whose courier is silent now. */
  silent(carried: readonly Carried[]): Promise<ReadonlySet<DeliveryId>>;
};

/** Service time of silence after which an operator should look. */
const ALARM_AFTER_MS = 60_000;
/** Least machine time, however fast service time runs: phones reconnect over a real network. */
const LEAST_REAL_ALARM_MS = 5000;
const LEAST_REAL_LOST_MS = 10_000;
/** Most couriers remembered as missing; far above the number that can have a delivery without a report. */
const MOST_MISSING = 100_000;
/** Deliveries that are judged at once. Acting on them takes time, in which couriers may be heard of again. */
const PAGE = 500;

/**
 * Watches whether couriers with deliveries are heard of. Silence counts in machine time, and from no earlier than the
 * start of this watch or the assignment. While the server itself was away it could hear nobody.
 */
export function watchContact(ctx: Needs): Contact {
  const { clock, settings } = ctx;
  const startedAt = clock.real.elapsed();
  const alarmMs = Math.max(ALARM_AFTER_MS / clock.scale, LEAST_REAL_ALARM_MS);
  const lostMs = Math.max(settings.presence.lostAfterMs / clock.scale, LEAST_REAL_LOST_MS);
  /** Couriers without any known report, and since when this watch misses them. */
  const missingSince = new Map<CourierId, number>();

  /** Those of them whose courier is silent, and for how long, machine time in ms. */
  const silences = async (carried: readonly Carried[]): Promise<ReadonlyMap<Carried, number>> => {
    const ids = new Set(carried.map(({ courierId }) => courierId));
    const known = await ctx.positions.silentForMs([...ids], alarmMs);
    const now = clock.real.elapsed();
    if (missingSince.size > MOST_MISSING) missingSince.clear();
    for (const id of ids) {
      if (known.has(id)) missingSince.delete(id);
      else if (!missingSince.has(id)) missingSince.set(id, now);
    }
    return new Map(
      carried.flatMap((delivery) => {
        const { courierId, at } = assignmentOf(delivery);
        const unheardMs = known.get(courierId) ?? now - (missingSince.get(courierId) ?? now);
        const silentMs = Math.min(unheardMs, now - startedAt, (clock.now() - at) / clock.scale);
        return silentMs < alarmMs ? [] : [[delivery, silentMs] as const];
      }),
    );
  };

  /** Those of them whose alarm is open. Another process may have raised or cleared it. */
  const raisedOf = async (ids: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId | null>> => {
    if (ids.length === 0) return new Set();
    return new Set((await ctx.alarms.findOpen('courier_silent', ids)).map(({ deliveryId }) => deliveryId));
  };

  const lookAt = async (delivery: Carried, silentMs: number, isRaised: boolean): Promise<void> => {
    if (!isRaised) await raiseAlarm(ctx, delivery, silence(silentMs * clock.scale));
    if (silentMs < lostMs || !leavesFrom(delivery.state, 'unassign')) return;
    const system = { type: 'system', of: assignmentOf(delivery) } as const;
    await unassignCourier(ctx, { deliveryId: delivery.id, reason: 'contact_lost' }, system);
  };

  const silence = (silentMs: number) => ({
    kind: 'courier_silent' as const,
    since: Math.round(clock.now() - silentMs),
    detail: `the courier has not been heard of for ${Math.round(silentMs / 1000)} s`,
  });

  return {
    look: async (carried, ownsLease) => {
      for (let from = 0; from < carried.length; from += PAGE) {
        const silent = [...(await silences(carried.slice(from, from + PAGE)))];
        const raised = await raisedOf(silent.map(([{ id }]) => id));
        await each(silent, ownsLease, ([delivery, silentMs]) => lookAt(delivery, silentMs, raised.has(delivery.id)));
      }
    },
    silent: async (carried) => new Set([...(await silences(carried)).keys()].map(({ id }) => id)),
  };
}
