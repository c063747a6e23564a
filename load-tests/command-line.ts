// The frame of the commands in this folder. It reads the options, shows the usage and reports how the command ended.
import { writeFile } from 'node:fs/promises';

export type Command<Options> = {
  readonly usage: string;
  /** Null if the caller asks for the usage only. @throws Error with a sentence for the user */
  readonly parse: (args: readonly string[]) => Options | null;
  readonly run: (options: Options) => Promise<void>;
};

/**
 * Runs a command of the process. A wrong option is answered with one sentence and the usage. If the run throws, the
 * last line is `failed: …`. Both end with code 1.
 */
export async function runCommand<Options>({ usage, parse, run }: Command<Options>): Promise<void> {
  const options = read(usage, parse);
  if (options === null) return;
  try {
    await run(options);
  } catch (error) {
    // Readers of the output expect the result in the last line.
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

/**
 * Runs a command that plays something and judges it. Prints the table, writes the figures as JSON if requested, and
 * prints the last line.
 */
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

/** The last line of the output: `ok` and the figures, or `failed:` and the problems. */
export function lastLineOf(problems: readonly string[], figures = ''): string {
  return problems.length > 0 ? `failed: ${problems.join('; ')}` : `ok ${figures}`.trimEnd();
}

function read<Options>(usage: string, parse: Command<Options>['parse']): Options | null {
  try {
    const options = parse(process.argv.slice(2));
    if (options === null) console.log(usage);
    return options;
  } catch (error) {
    // For a wrong option, the user needs one sentence and the usage, not a stack.
    console.error(`${sentenceOf(error)}\n\n${usage}`);
    process.exitCode = 1;
    return null;
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
