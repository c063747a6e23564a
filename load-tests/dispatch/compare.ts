// Compares the matcher's click to door with that of another policy, day by day.
import { readFile } from 'node:fs/promises';
import { mean } from '../statistics.ts';
import type { Played } from './contenders.ts';

export type Comparison = {
  /** Days that both policies have. */
  readonly days: number;
  readonly better: number;
  readonly ours: number;
  readonly theirs: number;
};

const COLUMN = 'ref_all_ctd';

/** Mean click to door by day. @throws Error with a sentence for the user */
export async function readTheirs(file: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`${file}: cannot be read`, { cause });
  });
  const [header = [], ...rows] = text.split(/\r?\n/u).map((line) => line.split(','));
  const [day, value] = [header.indexOf('instance'), header.indexOf(COLUMN)];
  if (day < 0 || value < 0) throw new Error(`${file}: the header has no columns instance and ${COLUMN}`);
  return new Map(rows.filter((row) => row.length > value).map((row) => [row[day] ?? '', Number(row[value])]));
}

/** On how many common days the matcher's is shorter, and both means over these days. */
export function compare(days: readonly Played[], theirs: ReadonlyMap<string, number>): Comparison {
  const pairs = days.flatMap(({ name, matcher }) => {
    const their = theirs.get(name);
    return their === undefined ? [] : [{ our: matcher.clickToDoor.mean, their }];
  });
  return {
    days: pairs.length,
    better: pairs.filter(({ our, their }) => our < their).length,
    ours: mean(pairs.map(({ our }) => our)),
    theirs: mean(pairs.map(({ their }) => their)),
  };
}
