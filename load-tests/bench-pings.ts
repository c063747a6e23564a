// `npm run bench:pings [-- options]` Measures the server CPU of an accepted ping on the server's full path, and of a
// raw relay, Socket.IO alone and an obvious handler in the same run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEngines } from '../src/embedded/engines.ts';
import { startAlone, startObvious, startRaw, type Running } from './pings/contenders.ts';
import { startFullPath } from './pings/full-path.ts';
import { MOST_FIXES, runLoad, type Contender, type LoadResult } from './pings/load.ts';
import { cpuNs, pinSelf, rssKib } from './pings/pinned.ts';
import { between, countRedis, type RedisCount } from './pings/redis-info.ts';
import { idleLines, summarise, type Idle, type Round } from './pings/summary.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { runCommand } from './command-line.ts';
import { wholeOf, wholesOf } from './numbers.ts';

/** V8 collects the whole heap of a server at rest about every 100 s. That costs as much as 20 s of other work, so it must count. */
const IDLE_S = 240;
/** V8 compiles the busiest functions meanwhile. After 3 s, this still took a tenth of the CPU of the first turns. */
const WARM_UP_S = 12;
/** How often each courier reports during the rest, s. The server would raise an alarm for those who are silent for a minute. */
const REPORT_EACH_S = 20;

const USAGE = `npm run bench:pings -- [options]

  --couriers N       couriers with one reader each (1000)
  --repeats N        rounds in which each contender has its turn (5)
  --seconds N        length of one turn (4)
  --rates N,N        pings a second, of all couriers together (2000,4000)
  --fixes N          fixes of a ping in the turns with several of them (5)
  --rest N           seconds between the last connection and the first measurement (60)
  --json FILE        write all figures there
  --help             this text

Starts its own engines. Measures the server CPU of a ping on the server's full path, and that of a raw relay, of
Socket.IO alone and of an obvious handler in the same run. Each ping has one fix. The full path has another turn with
several fixes in a ping, at the same rate of fixes. Before the pings, it measures all of them at rest, with couriers who
have just reported.`;

type Options = {
  readonly couriers: number;
  readonly repeats: number;
  readonly seconds: number;
  readonly rates: readonly number[];
  readonly fixes: number;
  readonly restS: number;
  readonly json: string | null;
};

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { couriers: text, repeats: text, seconds: text, rates: text, fixes: text, rest: text, json: text };
  const { values } = parseArgs({ args: [...args], options });
  return {
    couriers: wholeOf('couriers', values.couriers, 1000, 1, 20_000),
    repeats: wholeOf('repeats', values.repeats, 5, 1, 1000),
    seconds: wholeOf('seconds', values.seconds, 4, 1, 600),
    rates: wholesOf('rates', values.rates, [2000, 4000], 1, 100_000),
    fixes: wholeOf('fixes', values.fixes, 5, 2, MOST_FIXES),
    restS: wholeOf('rest', values.rest, 60, 0, 600),
    json: values.json ?? null,
  };
}

async function run(options: Options): Promise<void> {
  const isPinned = pinSelf();
  if (!isPinned) console.log('taskset or a second core is missing, so server and load share the cores');
  const dir = await mkdtemp(join(tmpdir(), 'bench-pings-'));
  const say = (line: string): void => console.log(line);
  const engines = await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say });
  const running: Running[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map(({ process }) => process.stop()));
    await engines.stop();
    await rm(dir, { recursive: true, force: true });
  };
  // If the bench is interrupted, it stops its servers and engines.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    running.push(await startRaw(options.couriers, isPinned));
    running.push(await startAlone(options.couriers, isPinned));
    running.push(await startObvious(options.couriers, engines.redisUrl, isPinned));
    say(`bringing ${options.couriers} couriers to work over REST and sockets`);
    running.push(await startFullPath(options.couriers, engines, { dir: join(dir, 'server'), isPinned }));
    const contenders = running.map(({ contender }) => contender);
    // Couriers without a position would be looked for and reported as silent. So the full path, which has come last, sends first.
    for (const contender of contenders.toReversed()) await runLoad(contender, Math.max(...options.rates), WARM_UP_S);
    say(`${options.restS} s of rest, in which each courier reports every ${REPORT_EACH_S} s`);
    await Promise.all(
      contenders.map((contender) => runLoad(contender, options.couriers / REPORT_EACH_S, options.restS)),
    );
    const idle = await measureIdle(running, engines.redisUrl, 2 * options.couriers);
    for (const line of idleLines(idle.servers)) say(line);
    const rounds = await alternate(contenders, engines.redisUrl, options, say);
    for (const line of summarise(rounds, idle.redis)) say(line);
    if (options.json !== null)
      await writeFile(options.json, `${JSON.stringify({ idle: idle.servers, rounds }, null, 2)}\n`);
  } finally {
    await stop();
  }
}

/**
 * Runs every contender at every rate, in turn and repeatedly, so that disturbances of the machine affect all of them.
 */
async function alternate(
  contenders: readonly Contender[],
  redisUrl: string,
  { rates, repeats, seconds, fixes }: Options,
  say: (line: string) => void,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    for (const rate of rates) {
      for (const { contender, name, each } of turnsOf(contenders, fixes)) {
        const [before, startedAt] = [await countRedis(redisUrl), performance.now()];
        const result = await runLoad(contender, rate, seconds, each);
        const redis = between(before, await countRedis(redisUrl));
        rounds.push({ name, rate, seconds, result, redis, countedS: (performance.now() - startedAt) / 1000 });
        say(lineOf(repeat, name, rate, result));
      }
    }
  }
  return rounds;
}

type Turn = { readonly contender: Contender; readonly name: string; readonly each: number };

/** Each contender with one fix in a ping, and the last one, the full path, also with several. */
function turnsOf(contenders: readonly Contender[], fixes: number): Turn[] {
  const single = contenders.map((contender) => ({ contender, name: contender.name, each: 1 }));
  const batches = contenders.slice(-1).map((contender) => {
    return { contender, name: `${contender.name}, ${fixes} fixes a ping`, each: fixes };
  });
  return [...single, ...batches];
}

function lineOf(repeat: number, name: string, rate: number, result: LoadResult): string {
  const { cpuUsPerPing, acked, refused, unanswered, frames, ackMs, readerMs, generatorP99Ms } = result;
  return [
    `${repeat}  ${name.padEnd(34)} ${rate}/s  ${cpuUsPerPing.toFixed(1)} µs`,
    `acked ${acked} refused ${refused} unanswered ${unanswered} frames ${frames}`,
    `ack p99 ${ackMs.p99} ms, reader p50 ${readerMs.p50} p99 ${readerMs.p99} ms, generator p99 ${generatorP99Ms} ms`,
  ].join('  ');
}

/** Measures the servers and Redis while all clients are connected and none sends. */
async function measureIdle(
  running: readonly Running[],
  redisUrl: string,
  connections: number,
): Promise<{ servers: readonly Idle[]; redis: RedisCount }> {
  const before = await countRedis(redisUrl);
  const cpuBefore = running.map(({ process: { pid } }) => cpuNs(pid));
  await pause(IDLE_S * 1000);
  const servers = running.map(({ contender: { name }, process: { pid }, bareKib }, index) => ({
    name,
    cpuMsPerS: (cpuNs(pid) - (cpuBefore[index] ?? NaN)) / 1e6 / IDLE_S,
    kibPerConnection: (rssKib(pid) - bareKib) / connections,
  }));
  const { calls, cpuS } = between(before, await countRedis(redisUrl));
  const redis = { calls: new Map([...calls].map(([name, count]) => [name, count / IDLE_S])), cpuS: cpuS / IDLE_S };
  return { servers, redis };
}

if (import.meta.main) {
  await runCommand({ usage: USAGE, parse: (args) => (asksForHelp(args) ? null : parseOptions(args)), run });
  // The drivers' connections would keep the process alive.
  process.exit();
}
