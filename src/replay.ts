import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runCommand, UsageError, WHERE_ENGINES_ARE } from './process/command-line.ts';
import { compareDecisions, differencesOf, replayRun, type Compared } from './dispatch/regions/replay-run.ts';
import type { MatchDecision, RunAnswer, RunRequest } from './dispatch/match/answer.ts';
import type { StoredRun } from './domain/offers/decision.ts';
import { isId } from './domain/ids.ts';
import { createLog } from './log.ts';
import { findRun } from './models/regions/decision-store.ts';
import { openMongo } from './engines/mongo.ts';
import { readRunFile, writeRunFile } from './models/regions/run-file.ts';

const USAGE = `npm run dispatch:replay -- --run run_... | --file FILE

Repeats a stored run of the matcher and compares the results.

  --run ID        id of a run in the database; GET /dispatch/decisions/{id} and the log show ids
  --mongo URL     address of the database; by default MONGO_URL
  --file FILE     an exported run; needs no database
  --export FILE   writes the run to a file
  --help          prints this text

Exits with 0 if the results are the same and with 1 if they differ. If it cannot compare them, it prints a sentence and
exits with 2: for example a wrong option, a run that is not stored, or a database that does not answer.
`;

/** Most lines of the table. Lines that differ come first. */
const MOST_LINES = 100;
const ID_WIDTH = 30;
const VERDICT_WIDTH = 16;

type Environment = Readonly<Record<string, string | undefined>>;

/** Replays the run that the arguments name and prints the comparison. @returns the exit code */
async function replay(env: Environment, args: readonly string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const options = { run: text, mongo: text, file: text, export: text };
  const { values } = parseArgs({ args: [...args], options });
  const run = values.file === undefined ? await stored(values, env) : await exported(values.file);
  if (values.export !== undefined) await writeFile(values.export, await writeRunFile(run));
  // The leader packed the stored run from these types, and the hash protects it.
  const [request, logged] = [run.request as RunRequest, run.answer as RunAnswer];
  const again = replayRun(request, run.rounds);
  const at = new Date(run.at).toISOString();
  say(`${run.id}  ${at}  region ${run.region}  fence ${run.fence}  rounds ${run.rounds}  inputs ${run.inputsHash}\n`);
  say(tableOf(compareDecisions(logged, again)));
  const differing = differencesOf(logged, again);
  if (differing.length === 0) {
    say(`ok: the results are the same (${logged.decisions.length} decisions, ${run.rounds} rounds)\n`);
    return 0;
  }
  say(`failed: ${differing.join(', ')} differ, so another version of the matcher made this run\n`);
  return 1;
}

async function exported(file: string): Promise<StoredRun> {
  try {
    return await readRunFile(await readFile(file));
  } catch (error) {
    // The message of a parser does not name the file.
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} cannot be replayed: ${why}`, { cause: error });
  }
}

async function stored(values: { run?: string; mongo?: string }, env: Environment): Promise<StoredRun> {
  const { run: id, mongo: url = env['MONGO_URL'] } = values;
  if (id === undefined) throw new UsageError('--run or --file is missing.');
  if (!isId('run', id)) throw new UsageError(`${id} is not the id of a run.`);
  if (url === undefined || url === '') throw new UsageError(`Set --mongo or MONGO_URL. ${WHERE_ENGINES_ARE}`);
  const mongo = await openMongo(url, createLog('warn'));
  try {
    const run = await findRun(mongo, id);
    if (run === null) throw new Error(`The database does not contain ${id}. It may have been removed.`);
    if (run.request === null || run.answer === null)
      throw new Error(
        `The inputs of ${id} were not stored, because the limit of that hour was reached; their hash is ${run.inputsHash}.`,
      );
    return run;
  } finally {
    await mongo.close();
  }
}

function tableOf(rows: readonly Compared[]): string {
  const head = lineOf(' ', 'delivery', 'verdict', 'courier', 'cost s');
  const sorted = [...rows.filter(({ isSame }) => !isSame), ...rows.filter(({ isSame }) => isSame)];
  const lines = sorted.flatMap(({ deliveryId, logged, again, isSame }) =>
    isSame
      ? [decisionLine(' ', deliveryId, logged)]
      : [decisionLine('-', deliveryId, logged), decisionLine('+', deliveryId, again)],
  );
  const left = lines.length - MOST_LINES;
  return [head, ...lines.slice(0, MOST_LINES), ...(left > 0 ? [`  and ${left} more\n`] : [])].join('');
}

function decisionLine(mark: string, deliveryId: string, one: MatchDecision | null): string {
  if (one === null) return lineOf(mark, deliveryId, 'none', '', '');
  return lineOf(mark, deliveryId, one.verdict, one.courierId ?? 'nobody', one.costS.toFixed(1));
}

function lineOf(mark: string, ...[delivery, verdict, courier, cost]: [string, string, string, string]): string {
  const names = `${delivery.padEnd(ID_WIDTH)}  ${verdict.padEnd(VERDICT_WIDTH)}  ${courier.padEnd(ID_WIDTH)}`;
  return `${mark} ${names}  ${cost.padStart(10)}\n`;
}

function say(text: string): void {
  process.stdout.write(text);
}

const args = process.argv.slice(2);
// oxlint-disable-next-line node/no-process-env -- an entry point, like main.ts
await runCommand(USAGE, args, () => replay(process.env, args));
