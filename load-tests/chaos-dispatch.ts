// `npm run chaos:dispatch [-- options]`: thousands of deliveries while servers, leaders and Redis are killed and frozen.
import { writeFile } from 'node:fs/promises';
import { parseChaosOptions, USAGE, type ChaosOptions } from './chaos/options.ts';
import { lastLine, tableOf } from './chaos/report.ts';
import { runChaos } from './chaos/run.ts';

async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) return;
  const report = await runChaos(options, {}, (line) => console.log(line));
  for (const line of tableOf(report)) console.log(line);
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  console.log(lastLine(report));
  if (report.problems.length > 0) process.exitCode = 1;
}

function readOptions(): ChaosOptions | null {
  try {
    const options = parseChaosOptions(process.argv.slice(2));
    if (options === null) console.log(USAGE);
    return options;
  } catch (error) {
    // A wrong option: one sentence and the usage serve the user, a stack does not.
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 1;
    return null;
  }
}

try {
  await main();
} catch (error) {
  // Whatever kept the run from its end: the last line says so, as a reader of the output expects.
  console.log(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
// Connections that a client library still holds open have nothing more to say.
process.exit();
