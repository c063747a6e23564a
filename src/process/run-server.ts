import path from 'node:path';
import { createClock } from '../clock.ts';
import { createApp, type App } from '../app.ts';
import { readConfig, type Config } from '../config.ts';
import { startEngines } from '../embedded/engines.ts';
import type { StreetEngine } from '../embedded/streets/street-engine.ts';
import { explainEnd, explainStart } from './explain-end.ts';
import { refuseTakenPort } from './listen.ts';
import { openMap } from './map/open-map.ts';
import { openStreets } from './streets/open-streets.ts';
import { tuneHeap } from './tune-heap.ts';
import { createVoice, type Voice } from './voice.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Stoppable = { stop(): Promise<void> };
type Backing = Stoppable & { readonly mongoUrl: string; readonly redisUrl: string };

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** A second signal this soon after the first is the same keystroke, delivered twice. */
const SAME_SIGNAL_MS = 2000;
/** Without its engines a close may never finish. After this time the process ends anyway. */
const END_WITHIN_MS = 30_000;

/** Runs the server: reads the environment, starts engines if their URLs are missing, serves, and ends on a signal. */
export async function runServer(env: Environment): Promise<void> {
  const startedAt = performance.now();
  const started: Stoppable[] = [];
  const isProduction = env['NODE_ENV'] === 'production';
  const voice = createVoice(isProduction);
  for (const signal of SIGNALS) process.once(signal, endAtOnce);
  if (isProduction) endInTheLog(voice);
  try {
    tuneHeap((text) => voice.say(text));
    const config = readConfig(env);
    await refuseTakenPort(config);
    const map = await openMap(config.around);
    const backing = await findBacking(config, env, voice);
    started.push(backing);
    let streets: StreetEngine | null = null;
    const app = await createApp(config, { ...backing, streetsUrl: () => streets?.url() ?? null }, map);
    streets = openStreets(app.streetsFile, config, env, voice);
    if (streets !== null) started.push(streets);
    endOnSignal(app, started, voice);
    voice.ready(app, performance.now() - startedAt);
    // A download and a build take their time, and the server works without them.
    streets?.start();
  } catch (error) {
    await stopAll(started);
    voice.failed(explainStart(error));
    process.exit(1);
  }
}

async function findBacking({ around }: Config, env: Environment, voice: Voice): Promise<Backing> {
  const say = (text: string): void => voice.say(text);
  if (around.MONGO_URL !== undefined && around.REDIS_URL !== undefined) {
    return { mongoUrl: around.MONGO_URL, redisUrl: around.REDIS_URL, stop: () => Promise.resolve() };
  }
  const engines = await startEngines({
    dataDir: path.resolve(around.DATA_DIR),
    env,
    say,
    warn: (text) => voice.warn(text),
    mongodBin: around.MONGOD_BIN,
    redisBin: around.REDIS_BIN,
  });
  for (const [name, timing] of Object.entries(engines.timings)) {
    say(`${name} ${timing.version} ready in ${(timing.readyMs / 1000).toFixed(1)} s (${timing.via})`);
  }
  return engines;
}

async function stopAll(started: readonly Stoppable[]): Promise<void> {
  await Promise.all(started.map((one) => one.stop()));
}

/** Logs uncaught errors. Node would also end the process, but would write plain text between the lines of the log. */
function endInTheLog(voice: Voice): void {
  process.on('uncaughtException', (error) => {
    voice.failed(explainEnd(error));
    process.exit(1);
  });
}

/** Ends a process that has not started yet. As the first process of a container it would otherwise get no signal. */
function endAtOnce(_signal: string, number: number): never {
  // As shells report a process that a signal has ended.
  process.exit(128 + number);
}

function endOnSignal(app: App, started: readonly Stoppable[], voice: Voice): void {
  let firstAt: number | null = null;
  const end = async (): Promise<void> => {
    await app.close();
    await stopAll(started);
    voice.stopped();
    process.exit(0);
  };
  const onSignal = (): void => {
    const at = performance.now();
    if (firstAt === null) {
      firstAt = at;
      voice.stopping();
      createClock().real.after(END_WITHIN_MS, () => giveUp(voice));
      end().catch((error: unknown) => {
        voice.failed(explainEnd(error));
        process.exit(1);
      });
    } else if (at - firstAt > SAME_SIGNAL_MS) {
      process.exit(130);
    }
  };
  for (const signal of SIGNALS) process.off(signal, endAtOnce).on(signal, onSignal);
}

function giveUp(voice: Voice): void {
  voice.failed('Stopping took too long. The next start continues unfinished work.');
  process.exit(1);
}
