/** Epoch ms to RFC 3339 UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** An expected arrival as a range; service time in epoch ms. */
export type EtaRange = { readonly at: number; readonly lowerAt: number; readonly upperAt: number };
