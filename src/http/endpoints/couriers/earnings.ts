import { setBankAccount } from '../../../money/payouts/set-bank-account.ts';
import { auditedActorOf } from '../../../domain/audit.ts';
import { endpoint } from '../../endpoint.ts';
import { BankAccountBody, BankAccountView, presentBankAccount } from '../../wire/couriers/bank-account.ts';

const tag = 'Couriers';

/** The money of couriers. */
export const EARNINGS = [
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
