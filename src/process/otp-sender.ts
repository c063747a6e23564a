import type { Log } from '../ports/process.ts';

const DEADLINE_MS = 5000;

/**
 * Sends live one-time codes. If there is a URL, it posts `{phone, code}` to it once. Without a URL, in development, it
 * logs the code as a warning so that a developer can read it.
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
    if (!answer.ok) throw new Error(`the service that sends one-time codes answered with status ${answer.status}`);
  };
}
