import type { CheckoutPayer } from '../../ports/money/gateways.ts';

/**
 * The e-mail address for gateways that demand one: that of the vendor, else one at the host of this service.
 * @param homeUrl the address of this service
 */
export function receiptAddress({ email }: CheckoutPayer, homeUrl: string): string {
  return email ?? `wallets@${new URL(homeUrl).hostname}`;
}
