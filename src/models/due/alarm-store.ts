import { ALARM_KINDS, type Alarm } from '../../domain/alarm.ts';
import type { AlarmStore } from '../../ports/dispatch/due.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { endsOn } from '../../engines/retention.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { ALARMS } from './alarm-shape.ts';

const LAST_BEGUN_FIRST = { since: -1, _id: -1 } as const;
const AS_ALARM = { projection: { _id: 0, endsOn: 0 } } as const;

/** Stores alarms, one row per kind and subject. Once an alarm is cleared, a later one of the same kind replaces it. */
export function createAlarmStore(mongo: Mongo, clock: Clock, { retention }: Pick<Settings, 'retention'>): AlarmStore {
  const rows = mongo.collection(ALARMS);
  return {
    raise: async (alarm) => {
      try {
        const key = keyOf(alarm.kind, alarm.deliveryId ?? alarm.courierId);
        await rows.replaceOne({ _id: key, clearedAt: { $ne: null } }, alarm, { upsert: true });
        return alarm;
      } catch (error) {
        // The alarm is still open: the upsert could neither match its row nor add another.
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },
    clear: async (deliveryId, kind) => {
      const kinds = kind === undefined ? ALARM_KINDS : [kind];
      const cleared: Alarm[] = [];
      for (const each of kinds) {
        const alarm: Alarm | null = await rows.findOneAndUpdate(
          { _id: keyOf(each, deliveryId), clearedAt: null },
          { $set: { clearedAt: clock.now(), endsOn: endsOn(clock, retention.alarmsMs) } },
          { ...AS_ALARM, returnDocument: 'after' },
        );
        if (alarm !== null) cleared.push(alarm);
      }
      return cleared;
    },
    listOpen: async ({ limit, after }) => {
      const found = await rows
        .find<Alarm>({ clearedAt: null, ...rowsAfter(after, LAST_BEGUN_FIRST) }, AS_ALARM)
        .sort(LAST_BEGUN_FIRST)
        .limit(limit + 1)
        .toArray();
      return pageOf(found, limit, ({ since, kind, deliveryId, courierId }) => ({
        at: since,
        id: keyOf(kind, deliveryId ?? courierId),
      }));
    },
    findOpen: (kind, deliveryIds) => {
      const keys = deliveryIds.map((deliveryId) => keyOf(kind, deliveryId));
      return rows.find<Alarm>({ _id: { $in: keys }, clearedAt: null }, AS_ALARM).toArray();
    },
  };
}

/** The keys of all possible alarms about a delivery or a courier. */
export function alarmKeysOf(subject: string): string[] {
  return ALARM_KINDS.map((kind) => keyOf(kind, subject));
}

function keyOf(kind: string, subject: string | null): string {
  return `${kind}:${subject ?? 'all'}`;
}
