/** A link to a file is replaced so long before it expires, machine time. */
const RENEW_MS = 60_000;

export type FileLink = { readonly url: string; readonly expires_at: string };

/** Says whether a link to a file has expired, or will so soon that it must be replaced. */
export function endsSoon({ expires_at: end }: Pick<FileLink, 'expires_at'>): boolean {
  return Date.parse(end) < Date.now() + RENEW_MS;
}
