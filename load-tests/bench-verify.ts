// `npm run bench:verify [-- options]` Measures how long a check of the whole ledger takes.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createClock } from '../src/clock.ts';
import { connectMongo } from '../src/models/connect-mongo.ts';
import { createLedger } from '../src/models/ledger/ledger-store.ts';
import { verifyLedger } from '../src/models/ledger/verify-ledger.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { withOwnEngines } from './engines/own-engines.ts';
import { openWallets } from './ledger/transfers.ts';
import { judge, lastLine, tableOf, type VerifyReport } from './ledger/verify-report.ts';
import { wholeOf } from './numbers.ts';
import { QUIET } from './quiet.ts';

const USAGE = `npm run bench:verify -- [options]

  --entries N   entries of the ledger (1000000)
  --wallets N   wallets of the vendors (1000)
  --json FILE   write all figures there
  --help        this text

Starts its own engine, books so many entries, seals all of them, and then checks the whole ledger as
\`npm run ledger:verify\` does. The bench fails if the check finds a fault, or takes over 45 s for each million of entries.`;

type Options = { readonly entries: number; readonly wallets: number; readonly json: string | null };

/** Transfers that are under way at the same time. */
const CLIENTS = 256;
/** Entries of a link of the chain, as in a server. */
const LINK = 500;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { entries: text, wallets: text, json: text } });
  return {
    entries: wholeOf('entries', values.entries, 1_000_000, 1, 100_000_000),
    wallets: wholeOf('wallets', values.wallets, 1000, 1, 100_000),
    json: values.json ?? null,
  };
}

/** Fills a ledger, seals it and checks it. */
export async function measure(
  url: string,
  { entries: wanted, wallets }: Pick<Options, 'entries' | 'wallets'>,
  say: (line: string) => void,
): Promise<VerifyReport> {
  const mongo = await connectMongo(url, QUIET);
  try {
    const ledger = createLedger(mongo, createClock());
    const [transfer, filling] = [await openWallets(ledger, wallets), spanS()];
    let started = 0;
    const client = async (): Promise<void> => {
      while (started < wanted) {
        started += 1;
        await transfer(wallets);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    say(`${wanted} entries booked in ${filling().toFixed(0)} s`);
    const sealing = spanS();
    while ((await ledger.seal(LINK)) > 0);
    const sealS = sealing();
    say(`sealed in ${sealS.toFixed(0)} s`);
    const checking = spanS();
    const { ok, entries, faults } = await verifyLedger(mongo, () => undefined);
    return judge({ entries, sealS, verifyS: checking(), faults: ok ? [] : faults });
  } finally {
    await mongo.close();
  }
}

/** Returns a function that tells the seconds since now. */
function spanS(): () => number {
  const began = performance.now();
  return () => (performance.now() - began) / 1000;
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  const play = (options: Options, say: (line: string) => void): Promise<VerifyReport> =>
    withOwnEngines('bench-verify-', ({ mongoUrl }) => measure(mongoUrl, options, say));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
