import { ApiError, type Api } from './api.ts';

type Tokens = { access_token: string; refresh_token: string; expires_in: number };

export type Session = {
  /** An access token that is valid for some time. */
  token(): Promise<string>;
  /** The server refused the token, so the next use gets another one. */
  distrust(): void;
};

const RENEW_BEFORE_MS = 120_000;

/**
 * Keeps a user logged in. Tokens expire in machine time at any clock scale. After a refused refresh, the user logs in
 * again.
 */
export function createSession(api: Api, login: () => Promise<Tokens>): Session {
  let tokens: Tokens | null = null;
  let renewAt = 0;
  let renewing: Promise<string> | null = null;

  async function renew(): Promise<string> {
    tokens = (tokens === null ? null : await refresh(api, tokens.refresh_token)) ?? (await login());
    renewAt = performance.now() + tokens.expires_in * 1000 - RENEW_BEFORE_MS;
    return tokens.access_token;
  }
  return {
    async token() {
      if (tokens !== null && performance.now() < renewAt) return tokens.access_token;
      renewing ??= renew().finally(() => (renewing = null));
      return renewing;
    },
    distrust: () => {
      renewAt = 0;
    },
  };
}

async function refresh(api: Api, refreshToken: string): Promise<Tokens | null> {
  try {
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return await api.call<Tokens>('POST', '/auth/token', { body });
  } catch (error) {
    // A refused refresh token is the ordinary end of a session. Any other error must stay visible.
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** A staff member with a password. */
export function staffSession(api: Api, staff: { email: string; password: string }): Session {
  const body = { grant_type: 'password', ...staff };
  return createSession(api, () => api.call('POST', '/auth/token', { body }));
}

/** A courier in test mode, where the one-time code is always the same. */
export function courierSession(api: Api, phone: string): Session {
  return createSession(api, async () => {
    await api.call('POST', '/auth/otp', { body: { phone } });
    return api.call('POST', '/auth/token', { body: { grant_type: 'otp', phone, code: '000000' } });
  });
}
