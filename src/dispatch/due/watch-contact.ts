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
   * Looks at assigned deliveries. Raises an alarm for a silent courier, and unassigns a lost one who has not collected.
   */
  look(assigned: readonly Carried[], ownsLease: () => boolean): Promise<void>;
  /** The deliveries among these whose courier is silent now. */
  silent(assigned: readonly Carried[]): Promise<ReadonlySet<DeliveryId>>;
};

/** Service time of silence after which an operator should look. */
const ALARM_AFTER_MS = 60_000;
/** Least machine time, however fast service time runs: phones reconnect over a real network. */
const LEAST_REAL_ALARM_MS = 5000;
const LEAST_REAL_LOST_MS = 10_000;
/** Most couriers remembered as missing; far above the number that can have a delivery without a report. */
const MOST_MISSING = 100_000;
/** Most deliveries remembered as having an alarm. A forgotten one costs a look at its stored alarm. */
const MOST_RAISED = 10_000;

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
  /** Deliveries whose alarm is open. It only saves raising the alarm again each turn. */
  const raised = new Set<DeliveryId>();

  const silences = async (assigned: readonly Carried[]): Promise<ReadonlyMap<DeliveryId, number>> => {
    const ids = new Set(assigned.map(({ courierId }) => courierId));
    const known = await ctx.positions.silentForMs([...ids], alarmMs);
    const now = clock.real.elapsed();
    if (missingSince.size > MOST_MISSING) missingSince.clear();
    for (const id of ids) {
      if (known.has(id)) missingSince.delete(id);
      else if (!missingSince.has(id)) missingSince.set(id, now);
    }
    return new Map(
      assigned.map((delivery) => {
        const { courierId, at } = assignmentOf(delivery);
        const silentMs = known.get(courierId) ?? now - (missingSince.get(courierId) ?? now);
        const assignedMs = (clock.now() - at) / clock.scale;
        return [delivery.id, Math.min(silentMs, now - startedAt, assignedMs)] as const;
      }),
    );
  };

  const isSilent = (ms: number | undefined): boolean => ms !== undefined && ms >= alarmMs;

  const lookAt = async (delivery: Carried, silentMs: number): Promise<void> => {
    if (!raised.has(delivery.id)) await raiseAlarm(ctx, delivery, silence(silentMs * clock.scale));
    if (raised.size >= MOST_RAISED) raised.clear();
    raised.add(delivery.id);
    if (silentMs < lostMs || !leavesFrom(delivery.state, 'unassign')) return;
    const system = { type: 'system', of: assignmentOf(delivery) } as const;
    await unassignCourier(ctx, { deliveryId: delivery.id, reason: 'contact_lost' }, system);
    raised.delete(delivery.id);
  };

  const silence = (silentMs: number) => ({
    kind: 'courier_silent' as const,
    since: Math.round(clock.now() - silentMs),
    detail: `the courier has not been heard of for ${Math.round(silentMs / 1000)} s`,
  });

  return {
    look: async (assigned, ownsLease) => {
      const silentMs = await silences(assigned);
      const silent = assigned.filter(({ id }) => isSilent(silentMs.get(id)));
      for (const { id } of assigned) if (!isSilent(silentMs.get(id))) raised.delete(id);
      await each(silent, ownsLease, (delivery) => lookAt(delivery, silentMs.get(delivery.id) ?? 0));
    },
    silent: async (assigned) => {
      const silentMs = await silences(assigned);
      return new Set([...silentMs].filter(([, ms]) => isSilent(ms)).map(([id]) => id));
    },
  };
}
