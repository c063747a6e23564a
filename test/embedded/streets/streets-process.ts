// A substitute for a server in tests of its death. It starts streets, prints each new address, and waits for its end.
import { createStreetEngine } from '../../../src/embedded/streets/street-engine.ts';
import { ENVIRONMENT } from '../../environment.ts';

const [, , dataDir = '', file = ''] = process.argv;
const streets = createStreetEngine({
  file,
  dataDir,
  longestM: 100_000,
  env: ENVIRONMENT,
  say: () => {},
  warn: () => {},
});
streets.start();
let last: string | null = null;
setInterval(() => {
  const url = streets.url();
  if (url !== null && url !== last) process.stdout.write(`${url}\n`);
  last = url;
}, 20);
