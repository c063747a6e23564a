import { computed, signal } from '@preact/signals';
import { ServiceProblem } from '../../packages/client/src/problems.ts';
import { isRecord } from '../../packages/client/src/records.ts';
import { createTransport } from '../../packages/client/src/transport.ts';
import { REVIEWERS, type StaffRole } from '../../src/domain/access.ts';
import { keep, readKept } from '../shared/kept.ts';

export type Session = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When its tokens came and when they expire, machine time, epoch ms. */
  readonly since: number;
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

/** A message to the other tabs that have the same session. */
type Told = {
  /** The part of the refresh token that stays the same when the session is renewed. */
  readonly family: string;
  /** The session with its new tokens, that the dispatcher has logged out, or a question for the newest tokens. */
  readonly news: Session | 'logged out' | 'asked';
};

/** A session that an earlier page has kept under another name lacks fields, so its owner logs in again. */
const KEY = 'staff-session';
/** Share of its life after which a token is renewed. */
const RENEW_AT = 0.75;
const AGAIN_MS = 5000;
/** Machine time in which another tab answers, also while a page begins. */
const ANSWER_MS = 1000;
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
/** Resolves when the other tabs have had time to tell newer tokens. */
let answered: Promise<void> = Promise.resolve();
let stopWaiting = (): void => undefined;

/**
 * A tab that was duplicated has the same refresh token as the first one. A token that is used again ends the session, so
 * each tab must know the newest one.
 */
const tabs = openChannel();
tabs?.addEventListener('message', ({ data: { family, news } }: MessageEvent<Told>) => {
  const current = session.value;
  if (current === null || familyOf(current) !== family) return;
  if (news === 'logged out') forget();
  else if (news === 'asked') tell(current, current);
  else {
    if (news.since > current.since) begin(news);
    stopWaiting();
  }
});

/** The channel; null in a browser that blocks it together with the storage, where a duplicated tab has no session to share. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(KEY);
  } catch {
    return null;
  }
}

function tell(own: Session, news: Told['news']): void {
  tabs?.postMessage({ family: familyOf(own), news } satisfies Told);
}

/** Logs in with email and password. Throws `ServiceProblem` if they are wrong. */
export async function logIn(email: string, password: string): Promise<void> {
  begin(sessionOf(await askForTokens({ grant_type: 'password', email, password }), email));
}

/** Forgets the session and ends it on the server. */
export async function logOut(): Promise<void> {
  const ended = session.value;
  forget();
  if (ended === null) return;
  tell(ended, 'logged out');
  await send<void>({ method: 'POST', path: '/auth/logout', credential: ended.accessToken });
}

/** Gets a new token. Returns false if the session has ended. If the server cannot be reached, callers try again. */
export function renew(): Promise<boolean> {
  renewing ??= renewOnce().finally(() => {
    renewing = null;
  });
  return renewing;
}

/** Renews the session after a reload, and then before each token expires. Another tab may have renewed it meanwhile. */
export function resumeSession(): void {
  if (session.value === null) return;
  tell(session.value, 'asked');
  answered = new Promise((resolve) => {
    stopWaiting = resolve;
    setTimeout(resolve, ANSWER_MS);
  });
  renewLater(session.value);
}

async function renewOnce(): Promise<boolean> {
  const current = session.value;
  if (current === null || isOver.value) return false;
  await answered;
  if (session.value !== current) return hasSession();
  // Meanwhile the dispatcher may log out, or another tab may tell newer tokens. Then the answer is too late.
  try {
    const tokens = await askForTokens({ grant_type: 'refresh_token', refresh_token: current.refreshToken });
    if (session.value !== current) return hasSession();
    const next = sessionOf(tokens, current.email);
    tell(next, next);
    begin(next);
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
  return send<TokenAnswer>({ method: 'POST', path: '/auth/token', body: grant, isSound: hasTokens });
}

/** Whether an answer has tokens. Any other success, such as that of a proxy, is a missing answer. */
function hasTokens(answer: unknown): boolean {
  if (!isRecord(answer)) return false;
  const { access_token: access, refresh_token: next, expires_in: livesS, roles } = answer;
  return typeof access === 'string' && typeof next === 'string' && Number.isFinite(livesS) && Array.isArray(roles);
}

function sessionOf(tokens: TokenAnswer, email: string): Session {
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    since: Date.now(),
    expiresAt: Date.now() + tokens.expires_in * 1000,
    email,
    staffId: tokens.staff_id,
    roles: tokens.roles,
  };
}

function begin(next: Session): void {
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

function familyOf({ refreshToken }: Session): string {
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
  // An earlier page did not keep since when it has its tokens.
  return kept === null ? null : { since: 0, ...(JSON.parse(kept) as Omit<Session, 'since'>) };
}
