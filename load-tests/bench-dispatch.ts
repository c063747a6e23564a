// `npm run bench:dispatch -- DAYS... [--accept P] [--prep known|mean] [--out DIR] [--json] [--seed N] [--workers N]`
// Plays the same days with the server's matcher and with "nearest idle courier at once". Proves each outcome before it
// is measured.
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { readDay } from './day/day.ts';
import { compare, readTheirs } from './dispatch/compare.ts';
import type { Played } from './dispatch/contenders.ts';
import { findDays, type NamedDay } from './dispatch/find-days.ts';
import { meanOf } from './dispatch/metrics.ts';
import { parseOptions, USAGE, type BenchOptions } from './dispatch/options.ts';
import { playAll } from './dispatch/pool.ts';
import { progressOf, tableOf } from './dispatch/table.ts';

type SizedDay = NamedDay & { readonly orders: number };
type Plan = { options: BenchOptions; days: readonly SizedDay[]; theirs: ReadonlyMap<string, number> | null };

async function main(): Promise<void> {
  const plan = await planOf(process.argv.slice(2)).catch((error: unknown) => {
    // For a wrong option or path, the user needs one sentence and the way to the help, not a stack.
    console.error(`${sentenceOf(error)}\nnpm run bench:dispatch -- --help lists the options`);
    process.exitCode = 2;
    return null;
  });
  if (plan === null) return;
  if (plan.options.help) return console.log(USAGE);
  try {
    await run(plan);
  } catch (error) {
    // After a broken rule or policy, figures of the other days would hide it.
    console.error(sentenceOf(error));
    process.exitCode = 1;
  }
}

/** Reads every day before anything is played, so that a mistake in the last day shows at once. */
async function planOf(args: readonly string[]): Promise<Plan> {
  const options = parseOptions(args);
  if (options.help) return { options, days: [], theirs: null };
  const days: SizedDay[] = [];
  for (const day of await findDays(options.paths)) {
    days.push({ ...day, orders: (await readDay(day.dir)).orders.length });
  }
  return { options, days, theirs: options.compare === null ? null : await readTheirs(options.compare) };
}

async function run({ options, days, theirs }: Plan): Promise<void> {
  const { workers, out, accept, prep, seed } = options;
  const startedAt = performance.now();
  const orders = new Map(days.map((day) => [day.name, day.orders]));
  let done = 0;
  let doneOrders = 0;
  const allOrders = days.reduce((sum, day) => sum + day.orders, 0);
  console.error(`${days.length} days, ${allOrders} orders, ${workers} at a time, seed ${seed}, accept ${accept}`);
  const played = await playAll(days, { workers, out, options: { accept, prep, seed } }, (day) => {
    done += 1;
    doneOrders += orders.get(day.name) ?? 0;
    const leftMs = ((performance.now() - startedAt) / Math.max(1, doneOrders)) * (allOrders - doneOrders);
    console.error(progressOf(day, done, days.length, leftMs));
  });
  const against = theirs === null ? null : compare(played, theirs);
  if (options.json) return console.log(JSON.stringify({ ...factsOf(options), ...resultOf(played), compare: against }));
  for (const line of tableOf(played)) console.log(line);
  if (against !== null) {
    const means = `mean CtD ${against.ours.toFixed(2)} against ${against.theirs.toFixed(2)}`;
    console.log(`better than ${options.compare} on ${against.better} of ${against.days} days, ${means}`);
  }
}

function resultOf(played: readonly Played[]): object {
  const means = {
    matcher: meanOf(played.map(({ matcher }) => matcher)),
    nearest: meanOf(played.map(({ nearest }) => nearest)),
  };
  return { instances: played, means };
}

/** The circumstances of the figures, without which they cannot be compared. */
function factsOf(options: BenchOptions): object {
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg() };
  return { commit: commitOf(), node: process.version, machine, options };
}

function commitOf(): string | null {
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=12'];
    return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    // Without git or a history, the figures have no commit.
    return null;
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

await main();
