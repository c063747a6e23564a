/** Things sorted into numbered groups: group g's stand at `of[from[g]]` up to `of[from[g + 1]]`. */
export type Peers = { readonly from: Int32Array; readonly of: Int32Array };

/** Sorts `count` things by their group, each group in the order of the things. */
export function groupPeers(groupOf: Int32Array, count: number): Peers {
  let groups = 0;
  for (let thing = 0; thing < count; thing += 1) groups = Math.max(groups, groupOf[thing]! + 1);
  const from = new Int32Array(groups + 1);
  for (let thing = 0; thing < count; thing += 1) from[groupOf[thing]! + 1] = from[groupOf[thing]! + 1]! + 1;
  for (let group = 0; group < groups; group += 1) from[group + 1] = from[group + 1]! + from[group]!;
  const at = from.slice();
  const of = new Int32Array(count);
  for (let thing = 0; thing < count; thing += 1) {
    const place = at[groupOf[thing]!]!;
    of[place] = thing;
    at[groupOf[thing]!] = place + 1;
  }
  return { from, of };
}
