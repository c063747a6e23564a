/** Limits on the rate of requests. All times are machine time. */

/** A bucket of tokens. Each request takes one. */
export type Bucket = {
  /** The name of the limit, as the headers show it. */
  readonly name: string;
  /** The account, courier or link that the limit counts. */
  readonly subject: string;
  /** How many tokens come back each second. */
  readonly perS: number;
  /** Most tokens in the bucket: so many requests may come at once. */
  readonly most: number;
};

/** `waitMs` is the time until the next token comes back; a refused request is possible then. */
export type TokenTaken = { readonly isAllowed: boolean; readonly left: number; readonly waitMs: number };

/** Members of the context that this file describes. */
export type LimitPorts = {
  /** Takes a token. All processes share the bucket. While Redis is away, each process has a bucket of its own. */
  readonly takeToken: (bucket: Bucket) => Promise<TokenTaken>;
};
