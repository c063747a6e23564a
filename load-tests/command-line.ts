// The frame of the commands in this folder: reads the options, shows the usage, tells how it ended.
import { writeFile } from 'node:fs/promises';

export type Command<Options> = {
  readonly usage: string;
  /** Null when only the usage is wanted. @throws Error with a sentence for the user */
  readonly parse: (args: readonly string[]) => Options | null;
  readonly run: (options: Options) => Promise<void>;
};

/**
 * Runs a command of the process. A wrong option is answered with one sentence and the usage; what kept the run from its
 * end is the last line, `failed: …`. Both end with code 1.
 */
export async function runCommand<Options>({ usage, parse, run }: Command<Options>): Promise<void> {
  const options = read(usage, parse);
  if (options === null) return;
  try {
    await run(options);
  } catch (error) {
    // Whatever it was: the last line says so, as a reader of the output expects.
    console.log(`failed: ${sentenceOf(error)}`);
    process.exitCode = 1;
  }
}

type Judged = { readonly problems: readonly string[] };

export type PlayCommand<Options, Report> = Omit<Command<Options>, 'run'> & {
  readonly play: (options: Options, say: (line: string) => void) => Promise<Report>;
  readonly tableOf: (report: Report) => readonly string[];
  /** Starts with `ok` or `failed:`. */
  readonly lastLine: (report: Report) => string;
};

/** Runs a command that plays something and judges it: the table, all figures as JSON where asked for, the last line. */
export function runPlay<Options extends { readonly json: string | null }, Report extends Judged>(
  command: PlayCommand<Options, Report>,
): Promise<void> {
  const { play, tableOf, lastLine, ...frame } = command;
  const run = async (options: Options): Promise<void> => {
    const report = await play(options, (line) => console.log(line));
    for (const line of tableOf(report)) console.log(line);
    if (options.json !== null) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    console.log(lastLine(report));
    if (report.problems.length > 0) process.exitCode = 1;
  };
  return runCommand({ ...frame, run });
}

function read<Options>(usage: string, parse: Command<Options>['parse']): Options | null {
  try {
    const options = parse(process.argv.slice(2));
    if (options === null) console.log(usage);
    return options;
  } catch (error) {
    // A wrong option: one sentence and the usage serve the user, a stack does not.
    console.error(`${sentenceOf(error)}\n\n${usage}`);
    process.exitCode = 1;
    return null;
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
