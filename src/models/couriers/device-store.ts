import { createHash } from 'node:crypto';
import { MOST_DEVICES, PLATFORMS, PUSH_PROVIDERS, type Device } from '../../domain/couriers/device.ts';
import type { CourierId, SessionId } from '../../domain/ids.ts';
import { ENDING, endsOn } from '../../engines/retention.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { date, id, maybe, number, oneOf, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import type { DeviceStore } from '../../ports/couriers.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { storeWith } from '../store-entries.ts';

export type DeviceRow = Device & { readonly _id: string; readonly endsOn: Date };

export const DEVICES = shape<DeviceRow>({
  name: 'devices',
  holds: 'A phone of a courier that pushes can wake.',
  kept: '`RETENTION_DEVICES_MS` after the app registered it last, or until its session ends or the courier removes it.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: { courierId: 1, registeredAt: -1, id: -1 } }, { key: { sessionId: 1 } }, { key: { id: 1 } }, ENDING],
  fields: {
    _id: text('Hash of the token, so that a token belongs to one courier.'),
    id: id('dev', 'The device’s id.'),
    courierId: id('cou', 'The courier.'),
    sessionId: id('ses', 'The session that registered the device.'),
    token: text('The address of the app at the push service.'),
    platform: oneOf(PLATFORMS, 'The operating system.'),
    appVersion: maybe(text('The version of the app.')),
    provider: maybe(oneOf(PUSH_PROVIDERS, 'The push service; null for the one that the server prefers.')),
    registeredAt: number('When the app registered the device last, service time in ms.'),
    endsOn: date('When the database may delete the device.'),
  },
});

const AS_DEVICE = { projection: { _id: 0, endsOn: 0 } } as const;

/** Stores the devices of couriers. A token has one row, that of its last registration. */
export function createDeviceStore(mongo: Mongo, clock: Clock, { retention }: Pick<Settings, 'retention'>): DeviceStore {
  const rows = mongo.collection(DEVICES);
  const listOf = (courierId: CourierId): Promise<Device[]> =>
    rows.find<Device>({ courierId }, AS_DEVICE).sort({ registeredAt: -1, id: -1 }).limit(MOST_READ).toArray();
  return {
    register: async (device) => {
      const { id: _newId, courierId, ...rest } = device;
      const ends = endsOn(clock, retention.devicesMs);
      const key = createHash('sha256').update(device.token).digest('base64url');
      const kept = await rows.findOneAndUpdate(
        { _id: key, courierId },
        { $set: { ...rest, endsOn: ends } },
        { ...AS_DEVICE, returnDocument: 'after' },
      );
      if (kept === null) {
        await rows.replaceOne({ _id: key }, { ...device, endsOn: ends }, { upsert: true });
      }
      const surplus = (await listOf(courierId)).slice(MOST_DEVICES);
      if (surplus.length > 0) await rows.deleteMany({ id: { $in: surplus.map((each) => each.id) } });
      return kept === null ? device : { ...device, id: kept.id };
    },
    listOf: async (courierId) => (await listOf(courierId)).slice(0, MOST_DEVICES),
    remove: (courierId, deviceId, entry) =>
      storeWith(mongo, clock, entry, async (within) => {
        const { deletedCount } = await rows.deleteOne({ id: deviceId, courierId }, within);
        return deletedCount > 0;
      }),
    removeOfSessions: async (ids: readonly SessionId[]) => {
      if (ids.length > 0) await rows.deleteMany({ sessionId: { $in: [...ids] } });
    },
  };
}

/** Devices in one read: those that count, and a few that raced with them. */
const MOST_READ = 4 * MOST_DEVICES;
