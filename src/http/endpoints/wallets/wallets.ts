import { bookOf, vendorAccount } from '../../../money/ledger/accounts.ts';
import { endpoint } from '../../endpoint.ts';
import { BalanceView, presentBalance } from '../../wire/wallets/balance.ts';

/** The wallets of vendors. */
export const WALLETS = [
  endpoint({
    route: 'GET /wallets/balance',
    tag: 'Wallets',
    name: 'getWalletBalance',
    summary: 'Get the balance of the wallet',
    description:
      'Returns the funds of the vendor of the API key, in the currency of its account and the mode of the key. ' +
      'Each mode has a wallet of its own. A wallet on which nothing was ever booked has zero.',
    reply: BalanceView,
    status: 200,
    run: async (ctx, { caller }) => {
      const { vendorId, liveMode } = caller;
      const { currency } = await ctx.vendors.get(vendorId);
      const wallet = vendorAccount('wallet', vendorId, bookOf(liveMode, currency));
      return presentBalance(await ctx.ledger.balance(wallet), currency, liveMode);
    },
  }),
];
