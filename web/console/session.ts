import { signal } from '@preact/signals';
import type { Problem } from '../shared/wire.ts';
import { ProblemError } from './refusal.ts';

export type Session = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Machine time, epoch ms. */
  readonly expiresAt: number;
  readonly email: string;
};

type TokenAnswer = { access_token: string; refresh_token: string; expires_in: number };

const KEY = 'session';
/** A token is renewed when this part of its life is over. */
const RENEW_AT = 0.75;
const AGAIN_MS = 5000;

/** Who is logged in; null before. It stays while the session is renewed, and when it has ended. */
export const session = signal<Session | null>(readSession());
/** The session ended by itself: whoever was at work logs in again and goes on. */
export const isOver = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;
let renewing: Promise<boolean> | null = null;

/** Logs in with email and password. Throws `ProblemError` when they are wrong. */
export async function logIn(email: string, password: string): Promise<void> {
  keep(await askForTokens({ grant_type: 'password', email, password }), email);
  isOver.value = false;
}

/** Forgets the session here and ends it at the server. */
export async function logOut(): Promise<void> {
  const token = session.value?.accessToken;
  clearTimeout(timer);
  sessionStorage.removeItem(KEY);
  session.value = null;
  isOver.value = false;
  if (token !== undefined)
    await fetch('/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}

/** Gets a new token; false when the session is over. A server out of reach is asked again by whoever needs it. */
export function renew(): Promise<boolean> {
  renewing ??= renewOnce().finally(() => {
    renewing = null;
  });
  return renewing;
}

/** Renews a session found after a reload, and keeps it renewed. */
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
    if (!(error instanceof ProblemError) || error.problem.status >= 500 || error.problem.status === 429) throw error;
    // The server knows this login no more.
    isOver.value = true;
    return false;
  }
}

async function askForTokens(grant: Record<string, string>): Promise<TokenAnswer> {
  const answer = await fetch('/auth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(grant),
  });
  if (!answer.ok) throw new ProblemError((await answer.json()) as Problem);
  return (await answer.json()) as TokenAnswer;
}

function keep(tokens: TokenAnswer, email: string): void {
  const next: Session = {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: Date.now() + tokens.expires_in * 1000,
    email,
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
        // Out of reach: the token may still be good, and is renewed when the server is back.
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
