import { parseArgs } from 'node:util';
import { makeMap } from './embedded/map/make-map.ts';
import { runCommand, UsageError } from './process/command-line.ts';

const USAGE = `npm run streets -- FILE.osm.pbf [--out FILE.pmtiles]

Makes the map of the pages from an OpenStreetMap extract, such as those of download.geofabrik.de.

  FILE.osm.pbf    the extract of your city
  --out FILE      the file to write; by default its name is that of the extract, with .pmtiles at the end
  --help          prints this text

It uses tilemaker, which it installs when it runs as root on a Debian-like system. Set MAP_TILES to the new file to show the
map, and STREETS_FILE to the extract to find routes. If the extract is wrong or anything is missing, it prints a sentence,
writes nothing and exits with 2.
`;

const EXTRACT = /\.osm\.pbf$/u;
const TILES = /\.pmtiles$/u;
/** A line of progress for each such part of a step, in percent. */
const STEP_PERCENT = 25;
const MIB = 1024 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

async function makeStreets(env: Environment, args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { out: { type: 'string' } },
    allowPositionals: true,
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('Name one OpenStreetMap extract.');
  const out = values.out ?? `${file.replace(EXTRACT, '')}.pmtiles`;
  if (!TILES.test(out)) throw new UsageError('--out must name a file that ends in .pmtiles.');
  const halting = new AbortController();
  // One Ctrl-C in npm arrives twice, and the second one must not stop the clean-up.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => halting.abort(new Error('It was stopped.')));
  const { bytes, tookMs } = await makeMap({ file, out, env, say, progress: reporter(), halt: halting.signal });
  const tookS = (tookMs / 1000).toFixed(1);
  say(`Wrote ${out}: ${(bytes / MIB).toFixed(1)} MiB in ${tookS} s. To show the map, set MAP_TILES=${out}`);
  return 0;
}

/** Prints each quarter of a step once. The steps of the program come out of order, because it uses all cores. */
function reporter(): (step: string, percent: number) => void {
  const shown = new Map<string, number>();
  return (step, percent) => {
    const quarter = Math.floor(percent / STEP_PERCENT);
    if (quarter <= (shown.get(step) ?? 0)) return;
    shown.set(step, quarter);
    say(`${step} ${quarter * STEP_PERCENT} %`);
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const args = process.argv.slice(2);
// oxlint-disable-next-line node/no-process-env -- an entry point, like main.ts
await runCommand(USAGE, args, () => makeStreets(process.env, args));
