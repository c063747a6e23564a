import { tokenOf, type Credential } from './credentials.ts';
import { type Backoff, backoffMs, pause, unlessEnded } from './pause.ts';
import { isProblem, NoAnswer, ServiceProblem } from './problems.ts';
import { isRecord, type Fields } from './records.ts';

export type Retries = Backoff & {
  /** Tries of a request after the first one. */
  readonly most: number;
  /** No try starts later than this after the first one, ms. */
  readonly withinMs: number;
};

export type TransportOptions = {
  /** The address of the service, such as `https://delivery.example`. With several, a failed try goes on to the next. */
  readonly baseUrl: string | readonly string[];
  /** Absent for requests that need none, such as logins. */
  readonly credential?: Credential | undefined;
  /** By default 4 retries within 60 s, after 0.25 s, 0.5 s, 1 s and 2 s, or as `Retry-After` says. Files need time besides. */
  readonly retries?: Partial<Retries> | undefined;
  /** The longest wait for the answer to one try, ms; 15,000 by default. Files get time besides, as a weak network needs. */
  readonly timeoutMs?: number | undefined;
  /** Sends the requests instead of the `fetch` of the platform. */
  readonly fetch?: typeof fetch | undefined;
  /** Called for every try that failed, also if another one follows. */
  readonly onFailure?: ((failure: ServiceProblem | NoAnswer) => void) | undefined;
};

/** The options of one call. */
export type CallOptions = {
  /** Ends the call, with all its retries. */
  readonly signal?: AbortSignal | undefined;
  /** Your own key for a POST or PATCH. By default each call has a random one, the same for all its tries. */
  readonly idempotencyKey?: string | undefined;
  /** The version that you have read. If the object has changed since, the call is refused with `stale_version`. */
  readonly ifMatch?: string | number | undefined;
  /** Replaces the credential of the client. */
  readonly credential?: Credential | undefined;
  /** Replaces `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
};

export type Sent = CallOptions & {
  readonly method: string;
  /** The path, with the query. */
  readonly path: string;
  readonly body?: unknown;
  /** Whether the request has an `Idempotency-Key`. By default each POST and PATCH has one, except logins. */
  readonly keyed?: boolean | undefined;
  /** Whether the service answers so. Anything else counts as a missing answer. By default each object and an empty 204 are answers. */
  readonly isSound?: ((body: unknown) => boolean) | undefined;
};

/**
 * Sends a request until it is answered, and returns the body of the answer; undefined after 204.
 * @throws ServiceProblem if the service refuses
 * @throws NoAnswer if no try had a readable answer, or if one had none and the refusal of its repeats leaves open what it has done
 */
export type Transport = <T>(sent: Sent) => Promise<T>;

const DEFAULT_RETRIES: Retries = { most: 4, withinMs: 60_000, firstMs: 250, mostMs: 8000 };
const TIMEOUT_MS = 15_000;
/** A phone on a weak network sends 256 kbit/s, which are these bytes in 1 ms. */
const LEAST_BYTES_PER_MS = 32;
/** The service waits this long for a form with files. */
const MOST_SENDING_MS = 60_000;
const WORTH_ANOTHER = [408, 429, 500, 502, 503, 504];

type Failure = { readonly error: ServiceProblem | NoAnswer; readonly retryAfterMs: number };

/** Creates a transport that stays with one address as long as that one answers. */
export function createTransport(options: TransportOptions): Transport {
  const addresses = [options.baseUrl].flat().map((address) => address.replace(/\/+$/, ''));
  const retries = { ...DEFAULT_RETRIES, ...options.retries };
  let turn = 0;
  return async <T>(sent: Sent): Promise<T> => {
    const credential = sent.credential ?? options.credential;
    const key = isKeyed(sent) ? (sent.idempotencyKey ?? randomKey()) : null;
    const isWrite = sent.method.toUpperCase() !== 'GET';
    const deadline = performance.now() + retries.withinMs + sendingMs(sent.body);
    let isRenewed = false;
    let isUnsure = false;
    for (let tries = 1; ; tries += 1) {
      sent.signal?.throwIfAborted();
      const token = await tokenFor(sent, credential).catch((error: unknown) => {
        sent.signal?.throwIfAborted();
        throw isUnsure && isWrite ? unsure(sent, key, error) : error;
      });
      const tried = turn;
      const base = addresses[tried % addresses.length] ?? '';
      const result = await attempt(options, sent, { base, key, token });
      if (!('error' in result)) return result.body as T;
      if (isUnsure && saysDone(sent, token, result.error)) return undefined as T;
      const isUsed = isUnsure && saysUsed(sent, result.error);
      isUnsure ||= result.error instanceof NoAnswer;
      options.onFailure?.(result.error);
      if (isUsed) throw unsure(sent, key, result.error);
      if (saysOld(result.error) && isSession(credential) && token !== undefined && !isRenewed) {
        isRenewed = true;
        credential.distrust(token);
        continue;
      }
      const waitMs = result.retryAfterMs + backoffMs(retries, tries);
      const isAgain = isWorthAnother(result.error);
      if (!isAgain || tries > retries.most || performance.now() + waitMs > deadline) {
        // The service judges the credential before it looks for an earlier try.
        const isOpen = isAgain ? key !== null : token !== undefined && isWrite && saysOld(result.error);
        throw isUnsure && isOpen ? unsure(sent, key, result.error) : result.error;
      }
      // The first of several calls that fail at one address leads all of them to the next one.
      if (turn === tried) turn += 1;
      await pause(waitMs, sent.signal);
    }
  };
}

/** The end of a call that could not be repeated, but one of whose tries had no answer and may have done the work. */
function unsure({ method, path }: Sent, idempotencyKey: string | null, last: unknown): NoAnswer {
  // The answer that is missing may be that to a renewal of the token.
  if (last instanceof NoAnswer && idempotencyKey !== null && last.idempotencyKey === idempotencyKey) return last;
  return new NoAnswer(`${method} ${path}`, { idempotencyKey, cause: last });
}

/** Others may wait for the same token, so the signal of one call does not end its renewal. */
async function tokenFor({ signal }: Sent, credential: Credential | undefined): Promise<string | undefined> {
  return credential === undefined ? undefined : unlessEnded(tokenOf(credential), signal);
}

/** Whether the service itself refuses the token. */
function saysOld(error: ServiceProblem | NoAnswer): boolean {
  return error instanceof ServiceProblem && error.status === 401;
}

/**
 * Whether a refusal after a try without an answer may say that this try has used what the request proves itself with: the code
 * of a login, or a session that has ended with all others. The result of the try is lost.
 */
function saysUsed({ method, path }: Sent, error: ServiceProblem | NoAnswer): boolean {
  if (!(error instanceof ServiceProblem)) return false;
  const endsAll = method === 'DELETE' && path === '/auth/sessions?keep_current=false';
  return error.code === 'otp_invalid' || (endsAll && error.code === 'unauthorized');
}

/** Whether a refusal after a try without an answer only says that this try has done the work: there is nothing left. */
function saysDone({ method, path }: Sent, token: string | undefined, error: ServiceProblem | NoAnswer): boolean {
  if (!(error instanceof ServiceProblem)) return false;
  if (method === 'DELETE' && error.status === 404) return true;
  const endsOwn = path === '/auth/logout' || (method === 'DELETE' && path === `/auth/sessions/${sessionOf(token)}`);
  // A token that is only too old is renewed, and then ends its session.
  return endsOwn && error.code === 'unauthorized';
}

/** The id of the session of an access token; empty for any other credential. */
function sessionOf(token = ''): string {
  try {
    const claims = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const { sid } = JSON.parse(claims) as Fields;
    return typeof sid === 'string' ? sid : '';
  } catch {
    // Only access tokens are JSON Web Tokens.
    return '';
  }
}

/** The service would ignore the key of a login. */
function isKeyed({ keyed, method, path }: Sent): boolean {
  return keyed ?? (['POST', 'PATCH'].includes(method.toUpperCase()) && !path.startsWith('/auth/'));
}

function isSession(credential: Credential | undefined): credential is Exclude<Credential, string> {
  return typeof credential === 'object';
}

function isWorthAnother(error: ServiceProblem | NoAnswer): boolean {
  if (error instanceof ServiceProblem && error.problem.retryable) return true;
  // The connection may break in the middle of an answer. Nobody can read such a success.
  return error.status === null || error.status < 300 || WORTH_ANOTHER.includes(error.status);
}

type Way = { readonly base: string; readonly key: string | null; readonly token: string | undefined };

/** Tries once. @throws the reason of the caller's signal, if it ended the try */
async function attempt(options: TransportOptions, sent: Sent, way: Way): Promise<{ body: unknown } | Failure> {
  const what = `${sent.method} ${sent.path}`;
  const timeout = AbortSignal.timeout((sent.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS) + sendingMs(sent.body));
  const signal = sent.signal === undefined ? timeout : AbortSignal.any([timeout, sent.signal]);
  let response: Response | null = null;
  const unread = (cause?: unknown): Failure => {
    const status = response?.status ?? null;
    return {
      error: new NoAnswer(what, { status, idempotencyKey: way.key, cause }),
      retryAfterMs: retryAfterMs(response),
    };
  };
  try {
    response = await (options.fetch ?? fetch)(`${way.base}${sent.path}`, { ...requestOf(sent, way), signal });
    const body: unknown = response.status === 204 ? undefined : JSON.parse(await response.text());
    const { isSound = isObjectOrNothing } = sent;
    if (response.ok && isSound(body)) return { body };
    if (!isProblem(body)) return unread();
    return { error: new ServiceProblem(what, body), retryAfterMs: retryAfterMs(response) };
  } catch (cause) {
    // A dead, silent or garbled server looks the same to a caller. Only their own signal is different.
    sent.signal?.throwIfAborted();
    return unread(cause);
  }
}

/** The time that the files of a form may need on a weak network, ms. */
function sendingMs(body: unknown): number {
  if (!(body instanceof FormData)) return 0;
  const bytes = [...body.values()].reduce((sum, part) => sum + (part instanceof Blob ? part.size : 0), 0);
  return Math.min(MOST_SENDING_MS, Math.ceil(bytes / LEAST_BYTES_PER_MS));
}

/** Whether a success can be one of the service, as far as every one of them is alike. */
function isObjectOrNothing(body: unknown): boolean {
  return body === undefined || isRecord(body);
}

function requestOf(
  sent: Sent,
  { key, token }: Way,
): { method: string; headers: Record<string, string>; body?: string | FormData } {
  const isForm = sent.body instanceof FormData;
  const headers = {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(sent.body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    ...(key === null ? {} : { 'idempotency-key': key }),
    ...(sent.ifMatch === undefined ? {} : { 'if-match': etagOf(sent.ifMatch) }),
  };
  if (sent.body === undefined) return { method: sent.method, headers };
  return { method: sent.method, headers, body: sent.body instanceof FormData ? sent.body : JSON.stringify(sent.body) };
}

function etagOf(version: string | number): string {
  return typeof version === 'number' ? `"${version}"` : version;
}

/** The wait that the answer demands, ms. The service sends seconds. */
function retryAfterMs(response: Response | null): number {
  const seconds = Number(response?.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : 0;
}

function randomKey(): string {
  // `randomUUID` exists only in secure contexts. A page on plain http in a local network is not one.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
