import type { RequestListener, Server } from 'node:http';
import path from 'node:path';
import type { Config } from './config.ts';
import { openCore } from './core.ts';
import { balanceCurl, demoCurl, ensureDemo, findDemoStreets, keepDemoRoute, refuseDemo, writeDemo } from './demo.ts';
import { startLearning } from './dispatch/learning/learn-preparation.ts';
import { startLearningTravel } from './dispatch/learning/learn-travel.ts';
import { startFolding } from './dispatch/analytics/fold-log.ts';
import { startSettlingVendors } from './dispatch/billing/settle-vendors.ts';
import { startInvoicing } from './dispatch/billing/issue-invoices.ts';
import { startFilling } from './dispatch/due/fill-old-rows.ts';
import { startSettling } from './dispatch/due/settle-top-ups.ts';
import { startSealing } from './dispatch/due/seal-log.ts';
import { startCensus } from './dispatch/due/report-census.ts';
import { startPaying } from './dispatch/due/pay-out.ts';
import { startCheckingLedger } from './dispatch/reconcile/check-ledger.ts';
import { startReconciling } from './dispatch/reconcile/reconcile-days.ts';
import { startWatchingSuspense } from './dispatch/reconcile/watch-suspense.ts';
import { startRobos } from './dispatch/couriers/robo/robo-courier.ts';
import { startDue } from './dispatch/due/run-due.ts';
import { startMatcher } from './dispatch/regions/matcher.ts';
import { startRegions } from './dispatch/regions/run-region.ts';
import { startPushing } from './dispatch/couriers/push-changes.ts';
import { startWatching } from './dispatch/couriers/watch-couriers.ts';
import { startWatchingDocuments } from './dispatch/couriers/watch-documents.ts';
import { startNotices } from './http/sandbox/send-notices.ts';
import { startPrinter } from './files/printing/printer.ts';
import { createBoundServer } from './http/bodies/bound-bodies.ts';
import type { PageMap } from './http/pages/page-map.ts';
import { answerStarting } from './http/pages/text-page.ts';
import { createHttp } from './http/server.ts';
import { createLog } from './log.ts';
import { followCarried } from './models/deliveries/events/carried-deliveries.ts';
import { recordSecrets } from './models/secrets/secret-hashes.ts';
import type { Mongo } from './engines/mongo.ts';
import { startPulse } from './engines/redis/redis-pulse.ts';
import type { Context } from './ports/context.ts';
import type { CensusStore, Fills } from './ports/dispatch/due.ts';
import { createNotices } from './realtime/namespaces/offers.ts';
import type { SocketServer } from './realtime/sockets.ts';
import { createIo, startRealtime, type RealtimeStats } from './realtime/server.ts';
import type { EngineUrls } from './process/open-engines.ts';
import { hostOf, listen, ownUrlOf } from './process/listen.ts';
import { createReceiverRules } from './webhooks/guard-address.ts';
import { startSending } from './webhooks/send-attempts.ts';
import type { DemoFacts } from './models/setting-shapes.ts';

export type App = {
  readonly port: number;
  readonly baseUrl: string;
  /** The accounts of the demo and two commands to try; null in production. */
  readonly demo: { facts: DemoFacts; curl: string; balanceCurl: string } | null;
  /** The extract for the server's own Valhalla: that of the settings, or else of the demo. */
  readonly streetsFile: string | null;
  /** Drains and closes all parts, in the reverse order of the start. */
  close(): Promise<void>;
};

/** Machine time for answers to requests in flight after the port is closed. */
const LAST_ANSWERS_MS = 3000;

const GAUGES_EVERY_MS = 5000;
type Core = Awaited<ReturnType<typeof openCore>>;

const WEB_ROOT = path.resolve(import.meta.dirname, '..', 'dist', 'web');

/** Builds the server on the given engines and starts it. Resolves when the server is ready. */
export async function createApp(config: Config, urls: EngineUrls, map: PageMap): Promise<App> {
  let serve: RequestListener = answerStarting;
  const server = createBoundServer(config.settings.http, (request, response) => serve(request, response));
  const isDevelopment = config.around.NODE_ENV !== 'production';
  const log = createLog(config.around.LOG_LEVEL);
  const port = await listen(server, config.settings.http.port, hostOf(config), log);
  const baseUrl = config.settings.http.baseUrl || `http://localhost:${port}`;
  const settings = { ...config.settings, http: { ...config.settings.http, port, baseUrl } };
  const core = await openCore({ ...config, settings }, urls, log);
  const { mongo, redis, sampledLog } = core;
  const ownUrl = ownUrlOf({ ...config, settings });
  if (!isDevelopment) await refuseDemo(mongo);
  const demoStreets = isDevelopment ? await findDemoStreets(config, mongo, log) : null;
  warnOfOtherSecrets(await recordSecrets(mongo, core.secrets), log);
  const io = createIo(server, { ...core.parts, log: sampledLog }, redis.adapter);
  const { ctx, closeContext } = await openContext(core, io);
  await core.positions.start();
  const realtime = await startRealtime({ ...ctx, log: sampledLog }, io);
  const stopGauges = ctx.clock.real.every(GAUGES_EVERY_MS, () => gauge(ctx, realtime.stats()));
  const receivers = createReceiverRules({ ...settings.webhooks, allowPrivate: isDevelopment });
  const stopSending = startWebhooks(ctx, core.commits, receivers);
  const stopWorkers = await startWorkers({ ...ctx, census: core.census, fills: core.fills, ownUrl });
  let isServing = false;
  serve = createHttp({
    ...ctx,
    health: { isReady: async () => isServing && (await ctx.health.isReady()) },
    webRoot: WEB_ROOT,
    map: demoStreets?.map ?? map,
    isDevelopment,
    ownUrl,
    metricsToken: config.around.METRICS_TOKEN ?? null,
    receivers,
  });
  const demo = isDevelopment ? await showDemo(ctx, mongo, config, urls, baseUrl) : null;
  const stopKeeping = demo === null || demoStreets === null ? null : keepDemoRoute(ctx, demo.facts);
  isServing = true;
  return {
    port,
    baseUrl,
    demo,
    streetsFile: demoStreets?.extract ?? config.around.STREETS_FILE ?? null,
    close: async () => {
      isServing = false;
      stopKeeping?.();
      await stopWorkers();
      await Promise.all([realtime.leave(), stopSending()]);
      stopGauges();
      // Realtime also closes the port. A request that never ends would block both.
      const stopCutting = ctx.clock.real.after(LAST_ANSWERS_MS, () => server.closeAllConnections());
      await realtime.close();
      await closeServer(server);
      stopCutting();
      await closeContext();
      await core.positions.stop();
      await core.close();
    },
  };
}

/** A secret that nobody meant to change makes this server refuse callers whom the others know, and looks healthy. */
function warnOfOtherSecrets(names: readonly string[], log: Context['log']): void {
  if (names.length === 0) return;
  log.warn(
    { secrets: names },
    'these secrets differ from those of the server that started last: unless you change them on purpose, stop this server and give it the same ones',
  );
}

/** Adds to the core what only a server needs. */
async function openContext({ parts, mongo, redis }: Core, io: SocketServer) {
  const printer = startPrinter(parts);
  const carried = await followCarried({ ...parts, mongo });
  const stopPulse = await startPulse({ redis, clock: parts.clock });
  const ctx: Context = { ...parts, carried, printer, notices: createNotices(io, parts) };
  const closeContext = async (): Promise<void> => {
    await printer.stop();
    await carried.stop();
    stopPulse();
  };
  return { ctx, closeContext };
}

/** Sends webhooks from now on, at once after each commit of this process. Returns the function that ends it. */
function startWebhooks(
  ctx: Context,
  commits: Core['commits'],
  receivers: Parameters<typeof startSending>[1],
): () => Promise<void> {
  const sending = startSending(ctx, receivers);
  const stopWaking = commits.onStored(() => sending.wake());
  return async () => {
    stopWaking();
    await sending.stop();
  };
}

/** Starts the background workers. Returns the function that stops them. */
async function startWorkers(
  ctx: Context & { readonly census: CensusStore; readonly fills: Fills; readonly ownUrl: string },
): Promise<() => Promise<void>> {
  const hearing = [
    await startLearning(ctx),
    await startLearningTravel(ctx),
    await startPushing(ctx),
    await startRobos(ctx),
  ];
  const matcher = startMatcher(ctx);
  const workers = [
    startRegions({ ...ctx, matcher }),
    startDue(ctx),
    startWatching(ctx),
    startWatchingDocuments(ctx),
    startCensus(ctx),
    startFilling(ctx),
    startSealing(ctx, 'audit chain', (limit) => ctx.audit.seal(limit)),
    startSealing(ctx, 'ledger chain', (limit) => ctx.ledger.seal(limit)),
    ...startSettling(ctx),
    ...startPaying(ctx),
    startWatchingSuspense(ctx),
    ...startReconciling(ctx),
    startCheckingLedger(ctx),
    startNotices(ctx),
    startFolding(ctx),
    startInvoicing(ctx),
    startSettlingVendors(ctx),
    ...hearing,
  ];
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await matcher.stop();
  };
}

function gauge(
  { metrics, travel }: Pick<Context, 'metrics' | 'travel'>,
  { sockets, entering, catchingUp, positions }: RealtimeStats,
): void {
  for (const [namespace, count] of Object.entries(sockets)) metrics.gauge('sockets_connected', count, { namespace });
  metrics.gauge('sockets_behind', entering, { stage: 'entering' });
  metrics.gauge('sockets_behind', catchingUp, { stage: 'catching_up' });
  metrics.gauge('position_readers', positions.readers, { state: 'all' });
  metrics.gauge('position_readers', positions.stale, { state: 'stale' });
  metrics.gauge('streets_ready', travel.hasRouter() ? 1 : 0, {});
}

async function showDemo(
  ctx: Context,
  mongo: Mongo,
  { around }: Config,
  urls: EngineUrls,
  baseUrl: string,
): Promise<App['demo']> {
  const facts = await ensureDemo(ctx, mongo);
  const isOwn = around.MONGO_URL === undefined;
  await writeDemo(around.DATA_DIR, baseUrl, facts, isOwn ? urls : null);
  return { facts, curl: demoCurl(baseUrl, facts), balanceCurl: balanceCurl(baseUrl, facts) };
}

function closeServer(server: Server): Promise<void> {
  server.closeIdleConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
