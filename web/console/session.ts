import { computed, signal } from '@preact/signals';
import { ServiceProblem } from '../../packages/client/src/problems.ts';
import { createTransport } from '../../packages/client/src/transport.ts';
import { REVIEWERS, type StaffRole } from '../../src/domain/access.ts';
import { keep, readKept } from '../shared/kept.ts';

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

/** News of its session that a tab tells the others. */
type Told = {
  /** The part of the refresh token that stays the same when the session is renewed. */
  readonly family: string;
  /** The new tokens; null if the dispatcher has logged out. */
  readonly tokens: TokenAnswer | null;
  /** Machine time at which the tokens came, epoch ms. */
  readonly at: number;
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

/**
 * A tab that was duplicated has the same refresh token as the first one. A token that is used again ends the session, so
 * each tab must know the newest one.
 */
const tabs = new BroadcastChannel(KEY);
tabs.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  const current = session.value;
  if (current === null || familyOf(current.refreshToken) !== data.family) return;
  if (data.tokens === null) forget();
  else begin(data.tokens, current.email, data.at);
});

/** Logs in with email and password. Throws `ServiceProblem` if they are wrong. */
export async function logIn(email: string, password: string): Promise<void> {
  begin(await askForTokens({ grant_type: 'password', email, password }), email);
}

/** Forgets the session and ends it on the server. */
export async function logOut(): Promise<void> {
  const ended = session.value;
  forget();
  if (ended === null) return;
  tell({ family: familyOf(ended.refreshToken), tokens: null, at: Date.now() });
  await send<void>({ method: 'POST', path: '/auth/logout', credential: ended.accessToken });
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
  // Meanwhile the dispatcher may log out, or another tab may tell newer tokens. Then the answer is too late.
  try {
    const tokens = await askForTokens({ grant_type: 'refresh_token', refresh_token: current.refreshToken });
    if (session.value !== current) return hasSession();
    tell({ family: familyOf(tokens.refresh_token), tokens, at: Date.now() });
    begin(tokens, current.email);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceProblem) || error.status >= 500 || error.status === 429) throw error;
    if (session.value !== current) return hasSession();
    // The session has ended on the server.
    isOver.value = true;
    return false;
  }
}

function hasSession(): boolean {
  return session.value !== null && !isOver.value;
}

function askForTokens(grant: Record<string, string>): Promise<TokenAnswer> {
  return send<TokenAnswer>({ method: 'POST', path: '/auth/token', body: grant });
}

function begin(tokens: TokenAnswer, email: string, at = Date.now()): void {
  const next: Session = {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: at + tokens.expires_in * 1000,
    email,
    staffId: tokens.staff_id,
    roles: tokens.roles,
  };
  keep(() => sessionStorage, KEY, JSON.stringify(next));
  session.value = next;
  isOver.value = false;
  renewLater(next);
}

function forget(): void {
  clearTimeout(timer);
  keep(() => sessionStorage, KEY, null);
  session.value = null;
  isOver.value = false;
}

function tell(told: Told): void {
  tabs.postMessage(told);
}

function familyOf(refreshToken: string): string {
  return refreshToken.slice(0, refreshToken.indexOf('.'));
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
  const kept = readKept(() => sessionStorage, KEY);
  return kept === null ? null : (JSON.parse(kept) as Session);
}
