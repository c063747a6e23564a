import { ALARM_KINDS, type Alarm } from '../domain/alarm.ts';
import type { AlarmStore, Clock } from '../ports.ts';
import { isDuplicateKey, type Mongo } from './mongo.ts';

type AlarmRow = Alarm & { readonly _id: string };

const AS_ALARM = { projection: { _id: 0 } } as const;

/** Alarms: one row per kind and subject, which a later alarm of the same kind replaces once it is cleared. */
export function createAlarmStore(mongo: Mongo, clock: Clock): AlarmStore {
  const rows = mongo.collection<AlarmRow>('alarms');
  return {
    raise: async (alarm) => {
      try {
        const key = keyOf(alarm.kind, alarm.deliveryId ?? alarm.courierId);
        await rows.replaceOne({ _id: key, clearedAt: { $ne: null } }, alarm, { upsert: true });
        return alarm;
      } catch (error) {
        // The row is there and open: the upsert could neither match it nor add another.
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
          { $set: { clearedAt: clock.now() } },
          { ...AS_ALARM, returnDocument: 'after' },
        );
        if (alarm !== null) cleared.push(alarm);
      }
      return cleared;
    },
    listOpen: (limit) => rows.find<Alarm>({ clearedAt: null }, AS_ALARM).sort({ since: 1 }).limit(limit).toArray(),
  };
}

/** The keys of every alarm there can be about a delivery or a courier. */
export function alarmKeysOf(subject: string): string[] {
  return ALARM_KINDS.map((kind) => keyOf(kind, subject));
}

function keyOf(kind: string, subject: string | null): string {
  return `${kind}:${subject ?? 'all'}`;
}
