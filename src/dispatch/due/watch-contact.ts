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
  /**
   * The deliveries among these whose alarm must stay: since the assignment, which is a minute ago at least, nothing was heard
   * of their courier for a minute, or no process knows a report of theirs. The start of this watch does not matter here.
   */
  silent(carried: readonly Carried[]): Promise<ReadonlySet<DeliveryId>>;
};

/** Service time of silence after which an operator should look. */
const ALARM_AFTER_MS = 60_000;
/** Least machine time, however fast service time runs: phones reconnect over a real network. */
const LEAST_REAL_ALARM_MS = 5000;
const LEAST_REAL_LOST_MS = 10_000;
/** Most couriers whose last report is remembered. Beyond that, the one who was looked at longest ago is forgotten. */
const MOST_HEARD = 100_000;
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
  const reports = rememberReports();
  const askFor = (carried: readonly Carried[]): Promise<ReadonlyMap<CourierId, number>> =>
    ctx.positions.silentForMs([...new Set(carried.map(({ courierId }) => courierId))], alarmMs);
  /** Machine time since the assignment. */
  const assignedForMs = (delivery: Carried): number => (clock.now() - assignmentOf(delivery).at) / clock.scale;

  /** Those of them whose courier is silent, and for how long, machine time in ms. */
  const silences = async (carried: readonly Carried[]): Promise<ReadonlyMap<Carried, number>> => {
    const known = await askFor(carried);
    const now = clock.real.elapsed();
    return new Map(
      carried.flatMap((delivery) => {
        const { courierId } = delivery;
        const unheardMs = now - reports.lastOf(courierId, known.get(courierId), now);
        const silentMs = Math.min(unheardMs, now - startedAt, assignedForMs(delivery));
        return silentMs < alarmMs ? [] : [[delivery, silentMs] as const];
      }),
    );
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
    detail: 'nothing has been heard of the courier since then',
  });

  return {
    look: async (carried, ownsLease) => {
      for (let from = 0; from < carried.length; from += PAGE) {
        const silent = [...(await silences(carried.slice(from, from + PAGE)))];
        const raised = await raisedOf(
          ctx,
          silent.map(([{ id }]) => id),
        );
        await each(silent, ownsLease, ([delivery, silentMs]) => lookAt(delivery, silentMs, raised.has(delivery.id)));
      }
    },
    silent: async (carried) => {
      const known = await askFor(carried);
      const isSilent = (one: Carried): boolean =>
        Math.min(known.get(one.courierId) ?? Infinity, assignedForMs(one)) >= alarmMs;
      return new Set(carried.filter(isSilent).map(({ id }) => id));
    },
  };
}

/** Those of them whose alarm is open. Another process may have raised or cleared it. */
async function raisedOf({ alarms }: Needs, ids: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId | null>> {
  if (ids.length === 0) return new Set();
  return new Set((await alarms.findOpen('courier_silent', ids)).map(({ deliveryId }) => deliveryId));
}

/** Remembers when couriers were last heard of, since their positions are forgotten after some minutes of silence. */
function rememberReports() {
  const heardAt = new Map<CourierId, number>();
  return {
    /**
     * When the courier was last heard of, machine time. Without any report it is the first time that this was asked.
     * @param silentMs for how long they have been silent; undefined if nobody knows
     */
    lastOf(id: CourierId, silentMs: number | undefined, now: number): number {
      const at = silentMs === undefined ? (heardAt.get(id) ?? now) : now - silentMs;
      // Taken out first, so that the order of the map is the order of the questions.
      heardAt.delete(id);
      heardAt.set(id, at);
      const [oldest] = heardAt.keys();
      if (heardAt.size > MOST_HEARD && oldest !== undefined) heardAt.delete(oldest);
      return at;
    },
  };
}
