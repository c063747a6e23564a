/** An API key, the token of a tracking link, or a session that renews its tokens by itself. */
export type Credential = string | Session;

/** A user who has logged in. Sockets and requests may share it: one renewal serves all of them. */
export type Session = {
  /**
   * An access token that is valid for some time. Renews it or logs in first, if necessary.
   * @throws NoAnswer if the next use may succeed. A socket ends with any other error that is not retryable
   */
  token(): Promise<string>;
  /** The service refused this access token, so the next use gets another one. */
  distrust(token: string): void;
  /** The network may be back. A request for tokens that has no answer yet is sent again at once, unless its proof works once. */
  hurry?(): void;
};

/** The token of a credential. */
export function tokenOf(credential: Credential): Promise<string> {
  return typeof credential === 'string' ? Promise.resolve(credential) : credential.token();
}
