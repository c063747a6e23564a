import { setBankAccount } from '../../../money/payouts/set-bank-account.ts';
import { auditedActorOf } from '../../../domain/audit.ts';
import { readSpan } from '../../../vendors/read-span.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import { listAnswer, mapPage, pageRequest } from '../../lists.ts';
import { BankAccountBody, BankAccountView, presentBankAccount } from '../../wire/couriers/bank-account.ts';
import { EarningQuery, EarningsView, presentBalances, presentEarning } from '../../wire/couriers/earning.ts';

const tag = 'Couriers';

/** The money of couriers. */
export const EARNINGS = [
  endpoint({
    route: 'GET /couriers/{id}/earnings',
    name: 'listEarnings',
    tag,
    summary: 'List what a courier has earned, newest first',
    description:
      'Returns the pay and the tip of each delivery, adjustments and payouts. `balances` has what was not paid out yet, and ' +
      '`bank_account` the account to which it goes.',
    id: 'courier',
    query: EarningQuery,
    reply: EarningsView,
    status: 200,
    run: async (ctx, { id, query, url }) => {
      await ctx.couriers.get(id);
      const range = query.date_range;
      const span = range === undefined ? null : await readSpan(ctx, undefined, range);
      const scope = `earnings ${id} ${JSON.stringify(span)}`;
      const page = await ctx.earnings.list(id, span, pageRequest(ctx.signer, scope, query));
      const { body, headers } = listAnswer(ctx.signer, scope, url, mapPage(page, presentEarning));
      const account = await ctx.bankAccounts.find(id);
      const more = {
        balances: presentBalances(await ctx.earnings.balances(id)),
        bank_account: account === null ? null : presentBankAccount(account),
      };
      return new Answer({ ...body, ...more }, { headers });
    },
  }),
  endpoint({
    route: 'PUT /couriers/{id}/bank-account',
    name: 'setBankAccount',
    tag,
    summary: 'Set the bank account to which a courier is paid',
    description:
      'Sets the account for the payouts of a courier: an IBAN, or a country with a number and the code of the bank. It is ' +
      'kept encrypted, and no answer shows more than its last four characters. The first account is used at once. A change ' +
      'holds payouts back until `usable_at`. The same account again changes nothing.',
    id: 'courier',
    body: BankAccountBody,
    reply: BankAccountView,
    status: 200,
    run: async (ctx, { caller, id, body }) => {
      const by = caller.type === 'courier' ? ({ type: 'courier', id } as const) : auditedActorOf(caller);
      return presentBankAccount(await setBankAccount(ctx, id, body, by));
    },
  }),
];
