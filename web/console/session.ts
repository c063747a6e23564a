import { computed, signal } from '@preact/signals';
import { ServiceProblem } from '../../packages/client/src/problems.ts';
import { createTransport } from '../../packages/client/src/transport.ts';
import { REVIEWERS, type StaffRole } from '../../src/domain/access.ts';

export type Session = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Machine time, epoch ms. */
  readonly expiresAt: number;
  readonly email: string;
  readonly staffId: string;
  readonly roles: readonly StaffRole[];
};

type TokenAnswer = {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  staff_id: string;
  roles: StaffRole[];
};

/** A session that an earlier page has kept under another name lacks fields, so its owner logs in again. */
const KEY = 'staff-session';
/** Share of its life after which a token is renewed. */
const RENEW_AT = 0.75;
const AGAIN_MS = 5000;
/** Retries of a request. They end soon, because a person waits for the answer. */
export const RETRIES = { most: 2, withinMs: 10_000 } as const;

const send = createTransport({ baseUrl: '', retries: RETRIES });

/** The session; null before the login. It stays while it is renewed and after it has expired. */
export const session = signal<Session | null>(readSession());
/** Whether the session has expired, so that the dispatcher must log in again to continue. */
export const isOver = signal(false);
/** Whether this member of staff may review documents of couriers. */
export const mayReview = computed(
  () => session.value?.roles.some((role) => (REVIEWERS as readonly StaffRole[]).includes(role)) === true,
);

let timer: ReturnType<typeof setTimeout> | undefined;
let renewing: Promise<boolean> | null = null;

/** Logs in with email and password. Throws `ServiceProblem` if they are wrong. */
export async function logIn(email: string, password: string): Promise<void> {
  keep(await askForTokens({ grant_type: 'password', email, password }), email);
  isOver.value = false;
}

/** Forgets the session and ends it on the server. */
export async function logOut(): Promise<void> {
  const token = session.value?.accessToken;
  clearTimeout(timer);
  sessionStorage.removeItem(KEY);
  session.value = null;
  isOver.value = false;
  if (token !== undefined) await send<void>({ method: 'POST', path: '/auth/logout', credential: token });
}

/** Gets a new token. Returns false if the session has ended. If the server cannot be reached, callers try again. */
export function renew(): Promise<boolean> {
  renewing ??= renewOnce().finally(() => {
    renewing = null;
  });
  return renewing;
}

/** Renews the session after a reload, and then before each token expires. */
export function resumeSession(): void {
  if (session.value !== null) renewLater(session.value);
}

async function renewOnce(): Promise<boolean> {
  const current = session.value;
  if (current === null || isOver.value) return false;
  try {
    keep(await askForTokens({ grant_type: 'refresh_token', refresh_token: current.refreshToken }), current.email);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceProblem) || error.status >= 500 || error.status === 429) throw error;
    // The session has ended on the server.
    isOver.value = true;
    return false;
  }
}

function askForTokens(grant: Record<string, string>): Promise<TokenAnswer> {
  return send<TokenAnswer>({ method: 'POST', path: '/auth/token', body: grant });
}

function keep(tokens: TokenAnswer, email: string): void {
  const next: Session = {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: Date.now() + tokens.expires_in * 1000,
    email,
    staffId: tokens.staff_id,
    roles: tokens.roles,
  };
  sessionStorage.setItem(KEY, JSON.stringify(next));
  session.value = next;
  renewLater(next);
}

function renewLater({ expiresAt }: Session, leastMs = 0): void {
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      renew().catch(() => {
        // The server cannot be reached. The token may still be valid and is renewed later.
        if (session.value !== null) renewLater(session.value, AGAIN_MS);
      });
    },
    Math.max(leastMs, (expiresAt - Date.now()) * RENEW_AT),
  );
}

function readSession(): Session | null {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? null : (JSON.parse(kept) as Session);
}
