import { importPKCS8, SignJWT } from 'jose';
import { request } from 'undici';
import { z } from 'zod';
import type { Clock } from '../../ports/process.ts';
import { isPassing, Passing, waitOf } from './try-again.ts';

/** The parts of a service account file of Google that are needed. */
export const ServiceAccount = z.object({
  project_id: z.string().regex(/^[a-z0-9:.-]{1,128}$/),
  client_email: z.email(),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The longest life that Google allows an assertion, seconds. */
const ASSERTION_S = 3600;
/** A token is renewed this long before it expires, so that no push travels with an expired one. */
const EARLY_MS = 60_000;

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export type AccessToken = {
  /** The token for requests. Callers at the same time share one exchange. */
  get(): Promise<string>;
  /** Forgets this token, because the service refused it. */
  drop(token: string): void;
};

/** Exchanges requests that the service account has signed for access tokens, and keeps the token until shortly before its end. */
export function createAccessToken(account: ServiceAccount, url: string, timeoutMs: number, clock: Clock): AccessToken {
  const key = importPKCS8(account.private_key, 'RS256');
  // The first use reports an invalid key.
  key.catch(() => undefined);
  let kept: { readonly token: string; readonly untilMs: number } | null = null;
  let exchange: Promise<string> | null = null;

  const renew = async (): Promise<string> => {
    const nowS = Math.floor(clock.real.wall() / 1000);
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(url)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + ASSERTION_S)
      .sign(await key);
    const askedAt = clock.real.elapsed();
    const body = new URLSearchParams({ grant_type: GRANT, assertion }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await send(url, { method: 'POST', headers, body, signal }, textOf);
    if (isPassing(answer.statusCode)) {
      throw new Passing(`the token server answered ${answer.statusCode}`, waitOf(answer.headers['retry-after']));
    }
    if (answer.statusCode !== 200) throw new Error(`the token server answered ${answer.statusCode}`);
    const { access_token: token, expires_in: ttlS } = Granted.parse(JSON.parse(answer.body));
    kept = { token, untilMs: askedAt + ttlS * 1000 - EARLY_MS };
    return token;
  };

  return {
    get: async () => {
      if (kept !== null && clock.real.elapsed() < kept.untilMs) return kept.token;
      exchange ??= renew().finally(() => {
        exchange = null;
      });
      return exchange;
    },
    drop: (token) => {
      if (kept?.token === token) kept = null;
    },
  };
}

type Response = Awaited<ReturnType<typeof request>>;
type Answer<Body> = Pick<Response, 'statusCode' | 'headers'> & { readonly body: Body };

/** The whole body of an answer. */
export const textOf = ({ body }: Response): Promise<string> => body.text();

/**
 * Sends a request and reads the body of its answer. A network that fails or does not answer in time is a passing failure,
 * also in the middle of an answer.
 */
export async function send<Body>(
  url: string,
  options: Parameters<typeof request>[1],
  read: (response: Response) => Promise<Body>,
): Promise<Answer<Body>> {
  try {
    const response = await request(url, options);
    return { statusCode: response.statusCode, headers: response.headers, body: await read(response) };
  } catch (error) {
    // There was no whole answer, so the same request may succeed a moment later.
    throw new Passing(error instanceof Error ? error.message : String(error));
  }
}
