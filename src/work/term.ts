/** The right of a region's leader to act: whether they still own the lease, and their fencing number. */
export type Term = { readonly region: string; ownsLease(): boolean; fence(): number };
