/** What the leader of a region may still do, and under which fencing number. */
export type Term = { readonly region: string; isHeld(): boolean; fence(): number };
