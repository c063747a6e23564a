import { createClient, type Client } from './client.ts';
import type { Session } from './credentials.ts';
import type { Token } from './generated/types.ts';
import { HURRY_MS } from './pause.ts';
import { NoAnswer, ServiceProblem } from './problems.ts';
import type { TransportOptions } from './transport.ts';

type Auth = Client['auth'];
type Ask = (grant: Parameters<Auth['createToken']>[0]) => Promise<Token>;
type Stored = string | null | undefined;

export type SessionOptions = Omit<TransportOptions, 'credential'> & {
  /**
   * The refresh token of an earlier run, from `onTokens`. With it, the user need not log in again. If several windows share one
   * stored token, give a function that reads it. Each window then renews with the newest one, and none ends the session.
   */
  readonly refreshToken?: string | (() => Stored | Promise<Stored>) | undefined;
  /** Called with each new pair of tokens, before it is used. Store the refresh token: it works once. */
  readonly onTokens?: ((tokens: Token) => void | Promise<void>) | undefined;
};

/** A token is renewed this long before its end. */
const RENEW_BEFORE_MS = 120_000;

/**
 * Keeps a user logged in. It renews the access token before its end, with one request for all who need it. After a
 * refused refresh it calls `login` again.
 * @param login makes the first tokens, such as with a one-time code that the user types in
 */
export function createSession(login: () => Promise<Token>, options: SessionOptions): Session {
  return keepSession(login, options);
}

/** @param login makes the first tokens. Its requests by `ask` are hurried with the session */
function keepSession(login: (ask: Ask, auth: Auth) => Promise<Token>, options: SessionOptions): Session {
  const { auth } = createClient(options);
  const { ask, hurry } = createAsking(auth);
  let tokens: Token | null = null;
  const { refreshToken: given } = options;
  let refreshToken = typeof given === 'string' ? given : null;
  let lastRead: Stored = null;
  let renewAt = 0;
  let renewing: Promise<string> | null = null;

  async function refresh(): Promise<Token | null> {
    const stored = typeof given === 'function' ? await given() : null;
    // A store that has not changed is behind this session, which could not write to it.
    if (typeof stored === 'string' && stored !== lastRead) refreshToken = stored;
    lastRead = stored;
    if (refreshToken === null) return null;
    try {
      return tokenIn(await ask({ grant_type: 'refresh_token', refresh_token: refreshToken }));
    } catch (error) {
      // A refused refresh token is the ordinary end of a session. Any other error must stay visible.
      if (error instanceof ServiceProblem && error.status === 401) return null;
      throw error;
    }
  }
  async function renew(): Promise<string> {
    const next = (await refresh()) ?? tokenIn(await login(ask, auth));
    // The old one is used up, also if the new one cannot be stored.
    refreshToken = next.refresh_token;
    await options.onTokens?.(next);
    tokens = next;
    // A token that lives only a short time is renewed after half of its life.
    const livesMs = next.expires_in * 1000;
    renewAt = performance.now() + Math.max(livesMs - RENEW_BEFORE_MS, livesMs / 2);
    return next.access_token;
  }
  return {
    token: async () => {
      if (tokens !== null && performance.now() < renewAt) return tokens.access_token;
      renewing ??= renew().finally(() => (renewing = null));
      return renewing;
    },
    distrust: (token) => {
      if (token === tokens?.access_token) renewAt = 0;
    },
    hurry,
  };
}

/**
 * A courier who logs in with a code that the service sends to their phone.
 * @param readCode resolves with the code that they typed in
 */
export function courierSession(phone: string, readCode: () => Promise<string>, options: SessionOptions): Session {
  return keepSession(async (_ask, auth) => {
    await auth.requestOtp({ phone });
    // The code works once, so a repeat would be refused while the tokens may be on their way.
    return auth.createToken({ grant_type: 'otp', phone, code: await readCode() });
  }, options);
}

/** A member of staff with a password. */
export function staffSession(
  staff: { readonly email: string; readonly password: string },
  options: SessionOptions,
): Session {
  return keepSession((ask) => ask({ grant_type: 'password', ...staff }), options);
}

/** Requests tokens with a proof that may be sent twice. If it is hurried, the request that waits is sent again. */
function createAsking({ createToken }: Auth): { readonly ask: Ask; readonly hurry: () => void } {
  let hurried = new AbortController();
  let hurriedAt = -Infinity;
  return {
    ask: async (grant) => {
      hurriedAt = -Infinity;
      for (;;) {
        const { signal } = hurried;
        try {
          return await createToken(grant, { signal });
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }
    },
    hurry: () => {
      // An app that hurries more often than a weak network answers would never get tokens.
      if (performance.now() - hurriedAt < HURRY_MS) return;
      hurriedAt = performance.now();
      hurried.abort();
      hurried = new AbortController();
    },
  };
}

/**
 * The tokens of an answer.
 * @throws NoAnswer for an answer without them, which is not one of the service but may be one of a network on the way
 */
function tokenIn(answer: Partial<Token> | null | undefined): Token {
  const { access_token: access, refresh_token: next, expires_in: livesS } = answer ?? {};
  if (typeof access === 'string' && typeof next === 'string' && Number.isFinite(livesS)) return answer as Token;
  throw new NoAnswer('POST /auth/token', { status: 200 });
}
