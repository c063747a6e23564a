import helmet from 'helmet';
import type { RequestHandler } from 'express';
import { amountOf } from '../../money/amount.ts';
import { writeAmount } from '../../money/currencies.ts';
import type { SandboxPayment } from '../../ports/money/sandbox.ts';

/** The policy of the page: its own style, and forms that lead to this server alone. */
export const guardCheckout: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'unsafe-inline'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

const STYLE = `
:root { color-scheme: light dark; --page: #f3f5f6; --surface: #fff; --line: #d8dde2; --text: #14181c; --quiet: #4b5560;
  --accent: #0b6e4f; --on-accent: #fff; --green: #10683a; --red: #ab211a }
@media (prefers-color-scheme: dark) { :root { --page: #101316; --surface: #191d21; --line: #333b42; --text: #eef1f3;
  --quiet: #adb7c0; --accent: #4fb592; --on-accent: #14181c; --green: #6fcf97; --red: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--page);
  color: var(--text); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
main { width: 100%; max-width: 360px; padding: 24px; background: var(--surface); border: 1px solid var(--line);
  border-radius: 8px; box-shadow: 0 1px 2px rgb(16 24 32 / 8%), 0 6px 20px rgb(16 24 32 / 12%) }
h1 { margin: 0; font-size: 20px } p { margin: 8px 0 0; color: var(--quiet); font-size: 14px }
.amount { margin: 20px 0; color: var(--text); font-size: 28px; font-weight: 600; font-variant-numeric: tabular-nums }
.paid { color: var(--green) } .declined { color: var(--red) }
form { display: grid; gap: 8px; margin: 0 }
button, a.button { display: block; width: 100%; padding: 12px; border: 1px solid var(--line); border-radius: 8px;
  background: transparent; color: inherit; font: inherit; text-align: center; text-decoration: none; cursor: pointer }
button.pay { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600 }
button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
code { overflow-wrap: anywhere }`;

/** The words for each result of a payment. */
const RESULTS = {
  paid: { title: 'Paid', text: 'The sandbox has taken the payment. No real money has moved.' },
  declined: { title: 'Declined', text: 'The sandbox has declined the payment. Nothing was paid.' },
  expired: { title: 'Expired', text: 'The time to pay has passed. Start another top-up.' },
} as const;

/**
 * The page on which a person pays with play money, or sees the result.
 * @param path where the forms lead
 */
export function checkoutPage(payment: SandboxPayment, path: string, now: number): string {
  const shown = payment.paid ?? payment;
  const sum = `${writeAmount(amountOf(shown.amount), shown.currency)} ${shown.currency}`;
  const isOpen = payment.status === 'open' && now < payment.expiresAt;
  const result = isOpen ? null : payment.status === 'open' ? 'expired' : payment.status;
  const body = result === null ? formsOf(path) : linkBack(payment);
  const title = result === null ? 'Top up a wallet' : RESULTS[result].title;
  const text = result === null ? 'This sandbox takes play money only, in test mode.' : RESULTS[result].text;
  return htmlPage(
    title,
    `<h1 class="${result ?? 'open'}">${title}</h1><p>${text}</p><p class="amount">${escape(sum)}</p>${body}` +
      `<p>Reference <code>${escape(payment.reference)}</code></p>`,
  );
}

function formsOf(path: string): string {
  return (
    `<form method="post" action="${escape(path)}/pay"><button class="pay">Pay</button></form>` +
    `<form method="post" action="${escape(path)}/decline" style="margin-top:8px"><button>Decline</button></form>`
  );
}

function linkBack({ returnUrl }: SandboxPayment): string {
  return returnUrl === null
    ? '<p>You can close this page.</p>'
    : `<a class="button" href="${escape(returnUrl)}" rel="noreferrer">Back to the shop</a>`;
}

function htmlPage(title: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<style>${STYLE}</style></head><body><main>${body}</main></body></html>`
  );
}

function escape(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
