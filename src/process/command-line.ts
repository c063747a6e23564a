/** A mistake in the command line. The message says what is wrong, and a hint at the usage is printed below it. */
export class UsageError extends Error {}

/** The advice to print when the address of an engine is missing. */
export const WHERE_ENGINES_ARE =
  'If the server started its own engines, find their addresses as mongo_url and redis_url in demo.json of its data folder (.data, or DATA_DIR).';

const COULD_NOT = 2;

/** Says whether a command line contains a request for the usage. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/**
 * Runs a command and ends the process with the exit code that `run` returns. A request for the usage ends with 0. An
 * error is printed as a sentence and ends with 2, because 1 is a possible result of a command.
 */
export async function runCommand(usage: string, args: readonly string[], run: () => Promise<number>): Promise<never> {
  if (asksForHelp(args)) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    process.exit(await run());
  } catch (error) {
    // The person who typed the command needs the sentence, not the stack.
    const sentence = error instanceof Error ? error.message : String(error);
    // The usage may be longer than a screen, and the sentence would scroll away with it.
    process.stderr.write(isMistyped(error) ? `${sentence}\nTo see all options, use --help.\n` : `${sentence}\n`);
    process.exit(COULD_NOT);
  }
}

function isMistyped(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
