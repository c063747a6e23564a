import path from 'node:path';
import { createClock } from './clock.ts';
import { createApp, type App } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { EngineError } from './embedded/engine-error.ts';
import { startEngines } from './embedded/engines.ts';
import { EngineAway } from './models/engine-away.ts';
import { StartError } from './start-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Backing = { readonly mongoUrl: string; readonly redisUrl: string; stop(): Promise<void> };

/** What the operator can mend: he needs the sentence, not the stack. */
const MENDABLE = [StartError, EngineError, EngineAway];
/** A second signal this soon after the first is the same keystroke reaching us twice. */
const SAME_SIGNAL_MS = 2000;
/** Engines that are gone can keep a close waiting; after this the process ends all the same. */
const END_WITHIN_MS = 30_000;

/** The process: reads the environment, starts engines when none are given, serves, and ends on a signal. */
export async function runServer(env: Environment): Promise<void> {
  const startedAt = performance.now();
  const backing: Backing[] = [];
  try {
    const config = readConfig(env);
    backing.push(await findBacking(config, env));
    const app = await createApp(config, backing[0] as Backing);
    endOnSignal(app, backing);
    greet(app, performance.now() - startedAt);
  } catch (error) {
    await Promise.all(backing.map((engines) => engines.stop()));
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

async function findBacking({ around }: Config, env: Environment): Promise<Backing> {
  if (around.MONGO_URL !== undefined && around.REDIS_URL !== undefined) {
    return { mongoUrl: around.MONGO_URL, redisUrl: around.REDIS_URL, stop: () => Promise.resolve() };
  }
  const engines = await startEngines({
    dataDir: path.resolve(around.DATA_DIR),
    env,
    say,
    mongodBin: around.MONGOD_BIN,
    redisBin: around.REDIS_BIN,
  });
  for (const [name, timing] of Object.entries(engines.timings)) {
    say(`${name} ${timing.version} ready in ${(timing.readyMs / 1000).toFixed(1)} s (${timing.via})`);
  }
  return engines;
}

function greet({ baseUrl, demo }: App, tookMs: number): void {
  say(`ready in ${(tookMs / 1000).toFixed(1)} s: ${baseUrl}  (reference: ${baseUrl}/docs)`);
  if (demo === null) return;
  const { vendor, staff, couriers } = demo.facts;
  say('');
  say('Demo, test mode (also in demo.json of the data folder). Only this machine reaches it unless HOST is set:');
  say(`  vendor key   ${vendor.api_key}`);
  say(`  console      ${baseUrl}/console  (${staff.email} / ${staff.password})`);
  say(`  couriers     ${couriers.map(({ phone }) => phone).join('  ')}  (one-time code 000000)`);
  say('');
  say('Create a delivery that a robo-courier carries out in half a minute, then open tracking_url of the answer:');
  say(`  ${demo.curl}`);
}

function endOnSignal(app: App, backing: readonly Backing[]): void {
  let firstAt: number | null = null;
  const end = async (): Promise<void> => {
    await app.close();
    await Promise.all(backing.map((engines) => engines.stop()));
    process.exit(0);
  };
  const onSignal = (): void => {
    const at = performance.now();
    if (firstAt === null) {
      firstAt = at;
      say('Stopping: finishing what is under way. Press Ctrl-C again to stop at once.');
      createClock().real.after(END_WITHIN_MS, giveUp);
      end().catch((error: unknown) => {
        process.stderr.write(`${explain(error)}\n`);
        process.exit(1);
      });
    } else if (at - firstAt > SAME_SIGNAL_MS) {
      process.exit(130);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function giveUp(): void {
  process.stderr.write('Stopping took too long. What was not finished is taken up again at the next start.\n');
  process.exit(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function explain(error: unknown): string {
  if (MENDABLE.some((kind) => error instanceof kind)) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
