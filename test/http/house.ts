import { atEnd } from '../at-end.ts';
import { createAddressOf } from '../../src/process/caller-address.ts';
import { createClock } from '../../src/clock.ts';
import type { StaffRole } from '../../src/domain/access.ts';
import { type CourierId, type DeliveryId, type VendorId, newId } from '../../src/domain/ids.ts';
import type { Vendor } from '../../src/domain/vendors/vendor.ts';
import { onboardCourier, setCourierState } from '../../src/dispatch/couriers/onboard-courier.ts';
import type { HttpContext } from '../../src/http/http-context.ts';
import { NO_MAP } from '../../src/http/pages/page-map.ts';
import { createBoundServer } from '../../src/http/bodies/bound-bodies.ts';
import { createHttp } from '../../src/http/server.ts';
import { startPrinter } from '../../src/files/printing/printer.ts';
import { busyWhenAway } from '../../src/engines/away.ts';
import { createBell } from '../../src/engines/redis/bell.ts';
import { createCredentials } from '../../src/models/access/credentials.ts';
import { createDecisionStore } from '../../src/models/regions/decision-store.ts';
import { createHintTurns } from '../../src/models/surge/hint-turns.ts';
import { createLinks } from '../../src/models/deliveries/links.ts';
import { openDatabase } from '../database.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { createPositionIndex } from '../../src/models/positions/position-index.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { createLeases } from '../../src/engines/redis/leases.ts';
import { createRequestStore } from '../../src/models/request-store.ts';
import { createTokenBuckets } from '../../src/models/limits/token-buckets.ts';
import { loadSecrets } from '../../src/models/secrets/secrets.ts';
import { createVault, vaultKeyOf } from '../../src/models/secrets/vault.ts';
import { createFileSigner, createSigner } from '../../src/models/secrets/signer.ts';
import { createStores } from '../../src/models/stores.ts';
import { createSurgeMap } from '../../src/models/surge/surge-map.ts';
import { createWebhookStore } from '../../src/models/webhooks/webhook-store.ts';
import { openRouting } from '../../src/models/streets/routing.ts';
import type { Context } from '../../src/ports/context.ts';
import { defaultSettings, type Settings } from '../../src/settings.ts';
import { aVendor } from '../builders.ts';
import { unlimited } from '../../load-tests/servers/no-limits.ts';
import { patient } from '../clock.ts';
import { patienceWith, testEngines } from '../engines.ts';
import { fillWallets } from '../funds.ts';
import { recordExample } from './record-example.ts';
import { refuseUnlisted } from './unlisted.ts';
import { keptCarried, keptMetrics, keptTravel, NO_NOTICES } from '../kept-ports.ts';
import { commitAlone } from '../../src/models/commit/commit-alone.ts';
import { openPort } from '../open-port.ts';
import { openGateways } from '../../src/process/gateways/open-gateways.ts';

export type LogLine = { readonly level: 'info' | 'warn' | 'error' | 'audit'; readonly fields: Record<string, unknown> };

export type House = {
  readonly ctx: HttpContext;
  readonly mongo: Mongo;
  readonly url: string;
  readonly lines: LogLine[];
  /** Regions whose bell was rung. */
  readonly rung: string[];
  /** The result of the health check. */
  readonly state: { isReady: boolean };
};

/** The HTTP server on real stores and engines; only what other edges do is remembered instead. */
export async function openHouse(name: string, over: (settings: Settings) => Settings = (same) => same): Promise<House> {
  const engines = testEngines(name);
  const clock = createClock();
  const [lines, rung]: [LogLine[], string[]] = [[], []];
  const line = (level: LogLine['level']) => (fields: object) => void lines.push({ level, fields: { ...fields } });
  const heard = { info: line('info'), warn: line('warn'), error: line('error'), audit: line('audit') };
  const log = { ...heard, covers: () => false };
  const mongo = await openDatabase(name, log);
  const redis = await connectRedis(engines.redisUrl, engines.keyPrefix, { log, clock }, patienceWith(engines.redisUrl));
  const defaults = { ...defaultSettings(), limits: unlimited() };
  const server = createBoundServer(over(defaults).http);
  const url = await openPort(server);
  const settings = over({ ...defaults, http: { ...defaults.http, baseUrl: url } });
  const [metrics, secrets] = [{ ...keptMetrics(), text: async () => '# HELP a b\n' }, await loadSecrets(mongo, {})];
  const stores = createStores(mongo, patient(clock), settings);
  const positions = createPositionIndex({ redis, clock, settings, metrics, log });
  const [state, printer] = [{ isReady: true }, startPrinter({ clock, log })];
  const endings = createBell(redis, log, 'ended');
  const { apiKeys, staff, ...credentials } = createCredentials({
    mongo,
    audit: stores.audit,
    redis,
    secrets,
    couriers: stores.couriers,
    clock,
    settings,
    sendOtp: async () => undefined,
    log,
    endings,
  });
  const context: Context = {
    settings,
    addressOf: createAddressOf(settings.http.trustedProxies),
    clock,
    log,
    metrics,
    ...stores,
    commit: commitAlone(stores.commit),
    decisions: createDecisionStore({ mongo, clock, settings, metrics }),
    carried: keptCarried(),
    positions,
    phones: new Map(),
    bell: { ring: (region) => void rung.push(region), onRing: () => () => undefined },
    leases: createLeases({ redis, processId: name, clock, log }),
    notices: NO_NOTICES,
    push: { send: async () => undefined },
    surge: createSurgeMap({ redis, clock, settings }),
    hintTurns: createHintTurns({ redis, clock, settings }),
    travel: keptTravel(),
    streets: openRouting({ streetsUrl: undefined, clock, settings, metrics, log }).routes,
    signer: createSigner(secrets.cursorKey),
    fileSigner: createFileSigner(secrets.linkKey),
    printer,
    ...(await openGateways({ settings, around: {}, clock }, secrets.webhookKey, url)),
    vault: createVault(vaultKeyOf(secrets.webhookKey)),
    links: createLinks({ linkKey: secrets.linkKey, deliveries: stores.deliveries, clock, settings }),
    credentials,
    apiKeys,
    staff,
    webhooks: createWebhookStore(mongo, secrets.webhookKey, clock, settings, stores.audit),
    takeToken: createTokenBuckets(redis, clock),
    requests: busyWhenAway(createRequestStore(mongo, secrets.webhookKey, clock, settings)),
    health: { isReady: async () => state.isReady },
  };
  const ctx = {
    ...context,
    webRoot: `${import.meta.dirname}/web`,
    map: NO_MAP,
    isDevelopment: true,
    ownUrl: url,
    metricsToken: null,
    receivers: { allowPrivate: true, resolve: async () => [], resolveNew: async () => [] },
  };
  server.on('request', createHttp(ctx));
  await positions.start();
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await positions.stop();
    await printer.stop();
    await redis.close();
  });
  return { ctx, mongo, url, lines, rung, state };
}

/** Another server process of the same house. `over` puts other parts into its context. */
export async function addServer({ ctx }: House, over: Partial<HttpContext> = {}) {
  const server = createBoundServer(ctx.settings.http, createHttp({ ...ctx, ...over }));
  const url = await openPort(server);
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, server };
}

export type Answer = { readonly status: number; readonly body: Body; readonly text: string; readonly headers: Headers };
// A test says what it expects of an answer by comparing it.
export type Body = Record<string, unknown> & { readonly data?: Record<string, unknown>[] };

type Options = {
  token?: string | undefined;
  body?: unknown;
  raw?: string;
  form?: FormData;
  headers?: Record<string, string>;
};

/** One request, by route: `GET /deliveries`. */
export async function call({ url }: Pick<House, 'url'>, route: string, options: Options = {}): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const text = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(text === undefined ? {} : { body: text }),
    ...(options.form === undefined ? {} : { body: options.form }),
  });
  refuseUnlisted(method, path, answer.status);
  const given = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  const body = isJson ? (JSON.parse(given) as Body) : {};
  const request = options.form ?? options.body;
  recordExample({ method, path, status: answer.status, request, ...(isJson ? { response: body } : {}) });
  return { status: answer.status, body, text: given, headers: answer.headers };
}

/** A vendor with a test-mode key and full wallets. */
export async function addVendor(house: House, liveMode = false): Promise<{ id: VendorId; key: string }> {
  const { id, currency, key } = await addPoorVendor(house, liveMode);
  await fillWallets(house.ctx, { id, currency });
  return { id, key };
}

/** A vendor with a test-mode key, on whose wallets nothing was ever booked. */
export async function addPoorVendor({ ctx }: House, liveMode = false, over: Partial<Vendor> = {}) {
  const { id, currency } = await ctx.vendors.add(aVendor(over));
  const { key } = await ctx.credentials.addVendorKey(id, liveMode);
  return { id, currency, key };
}

let phones = 0;

/** An active courier in test mode with an access token. */
export async function addCourier({ ctx }: House): Promise<{ id: CourierId; phone: string; token: string }> {
  phones += 1;
  const phone = `+4915100${String(phones).padStart(6, '0')}`;
  const { id } = await onboardCourier(ctx, { name: 'Ada Obi', phone, vehicleType: 'scooter', liveMode: false });
  await setCourierState(ctx, { courierId: id, state: 'active' }, { type: 'system' });
  const { accessToken } = await ctx.credentials.grant({ type: 'otp', phone, code: '000000' }, '127.0.0.1');
  return { id, phone, token: accessToken };
}

/** A staff token with these roles. */
export async function addStaff({ ctx }: House, ...roles: StaffRole[]): Promise<string> {
  const login = { email: `${roles.join('.')}.${newId('stf')}@demo.example`, password: 'a long enough password' };
  await ctx.credentials.addStaff({ ...login, roles });
  return (await ctx.credentials.grant({ type: 'password', ...login }, '127.0.0.1')).accessToken;
}

export const PICKUP = {
  coordinates: { lat: 52.52, lng: 13.405 },
  contact: { name: 'Front desk', phone: '+4930123456' },
};
export const DROP_OFF = {
  coordinates: { lat: 52.53, lng: 13.41 },
  contact: { name: 'Ada Lovelace', phone: '+4930654321' },
};

/** The smallest body of a create. */
export function aCreate(over: object = {}): Record<string, unknown> {
  return { pickup: PICKUP, drop_off: [DROP_OFF], ...over };
}

/** A delivery of this vendor, by HTTP. */
export async function addDelivery(house: House, token: string, over: object = {}): Promise<DeliveryId> {
  const { status, body, text } = await call(house, 'POST /deliveries', { token, body: aCreate(over) });
  if (status !== 201) throw new Error(text);
  return body['id'] as DeliveryId;
}
