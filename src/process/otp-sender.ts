import type { Log } from '../ports/process.ts';

const DEADLINE_MS = 5000;

/**
 * Sends live one-time codes. With a URL it POSTs `{phone, code}` there, once; without one, in development, the code is
 * logged at level warn so that a developer can read it.
 */
export function createOtpSender(url: string | undefined, log: Log): (phone: string, code: string) => Promise<void> {
  if (url === undefined) {
    return async (phone, code) => log.warn({ to: phone, said: code }, 'one-time code (development only)');
  }
  return async (phone, code) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone, code }),
      redirect: 'error',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (!answer.ok) throw new Error(`the sender of one-time codes answered ${answer.status}`);
  };
}
