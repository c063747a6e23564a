/** A command line that makes no sense; the message says what is wrong. Told with the usage. */
export class UsageError extends Error {}

/** What to say where the address of an engine is missing. */
export const WHERE_ENGINES_ARE =
  'A server that runs engines of its own writes their addresses, mongo_url and redis_url, into demo.json of its data folder (.data, or DATA_DIR).';

const COULD_NOT = 2;

/** Says whether a command line asks for the usage, whatever else stands on it. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/**
 * Runs a command of the process and ends it, with 0 after the usage when that is asked for, or with the code that `run`
 * gives. Whatever keeps the command from its end is a sentence and code 2, so that 1 is left for an answer.
 */
export async function runCommand(usage: string, args: readonly string[], run: () => Promise<number>): Promise<never> {
  if (asksForHelp(args)) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    process.exit(await run());
  } catch (error) {
    // Whoever typed the command needs the sentence, not the stack.
    const sentence = error instanceof Error ? error.message : String(error);
    process.stderr.write(isMistyped(error) ? `${sentence}\n\n${usage}` : `${sentence}\n`);
    process.exit(COULD_NOT);
  }
}

function isMistyped(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
