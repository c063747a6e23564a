// Money for the vendors of a run, through the payment gateway of test mode.
import { setTimeout as pause } from 'node:timers/promises';

/** The largest top-up by default, minor units. It is enough for about 100,000 deliveries. */
const AMOUNT = 100_000_000;
const PATIENCE_MS = 30_000;
const POLL_MS = 100;

type TopUp = { readonly id: string; readonly status: string; readonly authorization_url: string | null };

/**
 * Fills the test wallet of a vendor, as its people do: they start a top-up, pay on the page of the sandbox gateway, and
 * wait until the money is in the wallet.
 * @throws Error if a step is refused, or if the money does not arrive within 30 s
 */
export async function topUp(address: string, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const ask = async (method: string, path: string, body?: object): Promise<TopUp> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${address}${path}`, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as TopUp;
  };
  const { id, authorization_url: page } = await ask('POST', '/wallets/fund', { amount: AMOUNT });
  const paid = await fetch(`${page}/pay`, { method: 'POST' });
  if (!paid.ok) throw new Error(`the sandbox refuses the payment with ${paid.status}`);
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const { status } = await ask('GET', `/wallets/top-ups/${id}`);
    if (status === 'succeeded') return;
    if (status !== 'pending') throw new Error(`the top-up ${id} is ${status}`);
    await pause(POLL_MS);
  }
  throw new Error(`the money of the top-up ${id} is not in the wallet after ${PATIENCE_MS / 1000} s`);
}
