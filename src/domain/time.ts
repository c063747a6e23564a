/** Epoch ms to RFC 3339 UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
