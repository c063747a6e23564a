import { randomUUID } from 'node:crypto';
import { createAddressOf } from './process/caller-address.ts';
import type { Config } from './config.ts';
import { createMetrics } from './metrics.ts';
import { busyWhenAway } from './engines/away.ts';
import { createBell } from './engines/redis/bell.ts';
import { createCensus } from './models/census.ts';
import { createCredentials } from './models/access/credentials.ts';
import { createDecisionStore } from './models/regions/decision-store.ts';
import { createHintTurns } from './models/surge/hint-turns.ts';
import { createLinks } from './models/deliveries/links.ts';
import { createS3Bytes } from './models/files/s3-bytes.ts';
import { createFills } from './models/migrations/fill.ts';
import { createPositionIndex } from './models/positions/position-index.ts';
import { createRequestStore } from './models/request-store.ts';
import { createTokenBuckets } from './models/limits/token-buckets.ts';
import { loadSecrets } from './models/secrets/secrets.ts';
import { createVault, vaultKeyOf } from './models/secrets/vault.ts';
import { createFileSigner, createSigner } from './models/secrets/signer.ts';
import { createStores } from './models/stores.ts';
import { openRouting } from './models/streets/routing.ts';
import { createSurgeMap } from './models/surge/surge-map.ts';
import { createTravelTimes } from './models/learning/travel-times.ts';
import { createWebhookStore } from './models/webhooks/webhook-store.ts';
import { createOtpSender } from './process/otp-sender.ts';
import type { Context } from './ports/context.ts';
import type { FileBytes } from './ports/files.ts';
import { openEngines, type EngineUrls } from './process/open-engines.ts';
import { openGateways } from './process/gateways/open-gateways.ts';
import { ownUrlOf } from './process/listen.ts';
import { openPush } from './process/push/open-push.ts';
import { StartError } from './process/start-error.ts';
import { sampleLog } from './process/sampled-log.ts';
import { openServiceClock } from './process/service-clock.ts';
import { commitAlone } from './models/commit/commit-alone.ts';
import { countEnds, reportCommits } from './models/commit/report-commits.ts';

/** Opens the stores and services of the server on these engines, without HTTP, sockets and workers. */
export async function openCore({ settings, around }: Config, urls: EngineUrls, ownLog: Context['log']) {
  const bytes = await openBucket(around, ownLog);
  const engines = await openEngines(urls, around.REDIS_PREFIX, randomUUID(), ownLog);
  const { mongo, redis, leases } = engines;
  const [metrics, log] = [createMetrics(), mongo.log];
  const { clock, ...time } = await openServiceClock(mongo, settings.clock.scale, log, metrics);
  const sampled = sampleLog(log, clock);
  const secrets = await loadSecrets(mongo, around);
  const stores = createStores(mongo, clock, settings, bytes ?? undefined);
  const positions = createPositionIndex({ redis, clock, settings, metrics, log });
  const [bell, endings] = [createBell(redis, log, 'bell'), createBell(redis, log, 'ended')];
  const { paces, routes: streets } = openRouting({ streetsUrl: urls.streetsUrl, clock, settings, metrics, log });
  const travel = createTravelTimes({ mongo, router: paces, clock, log });
  const decisions = busyWhenAway(createDecisionStore({ mongo, clock, settings, metrics }));
  const { commit, commits } = countEnds(reportCommits(commitAlone(stores.commit)), metrics);
  const base = { settings, clock, log, metrics, ...stores, commit, decisions, travel, streets, positions, bell };
  const { apiKeys, staff, ...credentials } = createCredentials({
    mongo,
    audit: stores.audit,
    redis,
    secrets,
    couriers: stores.couriers,
    clock,
    settings,
    sendOtp: createOtpSender(around.OTP_URL, log),
    log: sampled.log,
    endings,
  });
  const pushing = openPush(around, { ...base, credentials });
  const parts: Omit<Context, 'carried' | 'notices' | 'printer'> = {
    ...base,
    addressOf: createAddressOf(settings.http.trustedProxies),
    phones: new Map(),
    surge: createSurgeMap({ redis, clock, settings }),
    hintTurns: createHintTurns({ redis, clock, settings }),
    leases,
    push: pushing.push,
    signer: createSigner(secrets.cursorKey),
    fileSigner: createFileSigner(secrets.linkKey),
    ...(await openGateways({ settings, around, clock }, secrets.webhookKey, ownUrlOf({ settings, around }))),
    vault: createVault(vaultKeyOf(secrets.webhookKey)),
    links: createLinks({ linkKey: secrets.linkKey, deliveries: stores.deliveries, clock, settings }),
    credentials: busyWhenAway(credentials),
    apiKeys: busyWhenAway(apiKeys),
    staff: busyWhenAway(staff),
    webhooks: busyWhenAway(createWebhookStore(mongo, secrets.webhookKey, clock, settings, stores.audit)),
    takeToken: createTokenBuckets(redis, clock),
    requests: busyWhenAway(createRequestStore(mongo, secrets.webhookKey, clock, settings)),
    health: { isReady: async () => (await mongo.isReady()) && redis.isReady() },
  };
  const close = async (): Promise<void> => {
    sampled.stop();
    await pushing.close();
    for (const part of [credentials, bell, endings, travel, streets]) await part.close();
    await time.stop();
    await engines.close();
  };
  const [census, fills] = [createCensus(mongo, stores.ledgerChecks), createFills({ mongo, clock, settings })];
  return { parts, commits, secrets, sampledLog: sampled.log, positions, mongo, redis, census, fills, close };
}

/**
 * The bucket that keeps the content of files; null if none is configured. The server also starts while the service is
 * away, because deliveries go on without files.
 * @throws StartError if the service refuses the credential or has no such bucket
 */
async function openBucket(
  { S3_URL: url, S3_REGION: region, ...around }: Config['around'],
  log: Context['log'],
): Promise<FileBytes | null> {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = around;
  if (url === undefined || accessKeyId === undefined || secretAccessKey === undefined) return null;
  const bytes = createS3Bytes({ url, region, accessKeyId, secretAccessKey });
  const verdict = await bytes.check();
  if (verdict.is === 'refused') {
    throw new StartError(
      `The S3 service refuses to store files (${verdict.why}). Check S3_URL with its bucket, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`,
    );
  }
  if (verdict.is === 'away') {
    log.warn({ why: verdict.why }, 'the S3 service cannot be reached, so files are refused until it can');
  }
  return bytes;
}
