/** Named sums. Sums of the same names are added, so they can be merged in any order. */
export type Sums = Readonly<Record<string, number>>;

/** The sums of all of them together. */
export function mergeSums(all: readonly Sums[]): Sums {
  const merged: Record<string, number> = {};
  for (const sums of all) for (const [name, value] of Object.entries(sums)) merged[name] = (merged[name] ?? 0) + value;
  return merged;
}

/** The sum of this name; 0 if nothing was added to it. */
export function sumOf(sums: Sums, name: string): number {
  return sums[name] ?? 0;
}

/** Whole counts by what stands behind the prefix of their names, the largest first. */
export function countsUnder(sums: Sums, prefix: string): [name: string, count: number][] {
  return Object.entries(sums)
    .filter(([name, count]) => name.startsWith(prefix) && count > 0)
    .map(([name, count]): [string, number] => [name.slice(prefix.length), count])
    .toSorted(([a, many], [b, more]) => more - many || a.localeCompare(b));
}
