import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { createBell } from '../../../src/engines/redis/bell.ts';
import { createAuditLog } from '../../../src/models/audit/audit-log.ts';
import { createCredentials } from '../../../src/models/access/credentials.ts';
import { openMongo, type Mongo } from '../../../src/engines/mongo.ts';
import type { CourierStore } from '../../../src/ports/couriers.ts';
import { defaultSettings, type Settings } from '../../../src/settings.ts';
import { handClock } from '../../clock.ts';
import type { TestEngines } from '../../engines.ts';
import { keptLog } from '../../kept-ports.ts';
import { connectFor } from '../../engines/redis-house.ts';

export const SECRETS = {
  tokenPrivateJwk: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  pepper: randomBytes(32).toString('base64url'),
};

/** The connection of another process to a prepared database. It is closed when the test ends. */
export async function connectTo({ mongoUrl }: TestEngines): Promise<Mongo> {
  const mongo = await openMongo(mongoUrl, keptLog());
  onTestFinished(() => mongo.close());
  return mongo;
}

/** Credentials on prepared engines, known couriers, and a phone network that keeps its messages. */
export async function aDoor(
  at: TestEngines,
  known: readonly Courier[] = [],
  clock = handClock(Date.now()),
  settings: Settings = defaultSettings(),
) {
  const mongo = await connectTo(at);
  const redis = await connectFor(at);
  const couriers: Pick<CourierStore, 'find' | 'findByPhone'> = {
    find: async (id) => known.find((courier) => courier.id === id) ?? null,
    findByPhone: async (phone, liveMode) =>
      known.find((courier) => courier.phone === phone && courier.liveMode === liveMode) ?? null,
  };
  const endings = createBell(redis, keptLog(), 'ended');
  onTestFinished(() => endings.close());
  const log = keptLog();
  const sent: { phone: string; code: string }[] = [];
  const credentials = createCredentials({
    mongo,
    audit: createAuditLog(mongo, clock),
    redis,
    secrets: SECRETS,
    couriers,
    clock,
    settings,
    sendOtp: async (phone, code) => void sent.push({ phone, code }),
    log,
    endings,
  });
  return { mongo, redis, clock, credentials, sent, log };
}
