/** The right of a region's leader to act: whether it still owns the lease, and its fencing number. */
export type Term = { readonly region: string; ownsLease(): boolean; fence(): number };
