// A substitute for a server in tests of its death. It starts engines, prints where they are, and waits for its end.
import { startEngines } from '../../src/embedded/engines.ts';
import { ENVIRONMENT } from '../environment.ts';

const [, , dataDir = '', mode = 'hold'] = process.argv;
if (mode === 'drain') process.on('SIGINT', () => process.stdout.write('draining\n'));

try {
  const { mongoUrl, redisUrl } = await startEngines({ dataDir, env: ENVIRONMENT, say: () => {} });
  process.stdout.write(`${JSON.stringify({ mongoUrl, redisUrl })}\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
