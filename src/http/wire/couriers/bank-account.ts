import { z } from 'zod';
import {
  BANK_ACCOUNT_FORMS,
  isIban,
  type BankAccount,
  type NewBankAccount,
} from '../../../domain/couriers/bank-account.ts';
import { idSchema } from '../../../domain/ids.ts';
import { refuseField } from '../../../domain/refusals/refusals.ts';
import { isoTime } from '../../../domain/time.ts';
import { CurrencyBody } from '../currency.ts';
import { textOf } from '../../../domain/text.ts';

/** Either an IBAN, or a country with a number and a bank code. */
export const BankAccountBody = z
  .strictObject({
    holder_name: textOf(100).describe('The name of the holder as the bank knows it, at most 100 characters'),
    reason: textOf(280)
      .exactOptional()
      .describe(
        'Why the account is set, for the audit log: 1 to 280 characters. A repeat that changes nothing does not record it',
      ),
    currency: CurrencyBody.describe('ISO 4217 code. Only earnings in this currency are paid to the account'),
    iban: z
      .string()
      .regex(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/, {
        error: 'must be an IBAN without blanks, such as DE75512108001245126199',
        abort: true,
      })
      .refine(isIban, 'must be an IBAN whose check digits fit')
      .exactOptional()
      .describe('The IBAN, without blanks. Leave it out if the bank has none'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be two upper-case letters of ISO 3166, such as NG')
      .exactOptional()
      .describe('ISO 3166 code of the country of the bank. Required without `iban`'),
    account_number: z
      .string()
      .regex(/^[0-9A-Z]{4,34}$/, 'must have 4 to 34 digits or upper-case letters')
      .exactOptional()
      .describe('The number of the account, 4 to 34 digits or upper-case letters. Required without `iban`'),
    bank_code: z
      .string()
      .regex(/^[0-9A-Z]{2,20}$/, 'must have 2 to 20 digits or upper-case letters')
      .exactOptional()
      .describe('The code of the bank in its country, 2 to 20 digits or upper-case letters. Required without `iban`'),
  })
  .transform(({ holder_name: holderName, currency, reason = null, iban, ...local }): NewBankAccount => {
    if (iban !== undefined) {
      refuseBesideIban(local);
      const country = iban.slice(0, 2);
      return { currency, reason, details: { holderName, country, form: 'iban', number: iban, bankCode: null } };
    }
    const { country, account_number: number, bank_code: bankCode } = local;
    if (country === undefined) throw missing('country');
    if (number === undefined) throw missing('account_number');
    if (bankCode === undefined) throw missing('bank_code');
    return { currency, reason, details: { holderName, country, form: 'local', number, bankCode } };
  });

function refuseBesideIban(local: object): void {
  const [name] = Object.keys(local);
  if (name !== undefined)
    throw refuseField(`/${name}`, 'not_allowed', 'must be left out beside `iban`, which contains it');
}

function missing(name: string) {
  return refuseField(`/${name}`, 'required', 'must be given if `iban` is left out');
}

export const BankAccountView = z.strictObject({
  object: z.literal('bank_account').describe('The kind of object'),
  courier_id: idSchema('cou').describe('The courier whose earnings are paid to it'),
  live_mode: z.boolean().describe('False for a courier of test mode'),
  currency: z.string().describe('ISO 4217 code. Only earnings in this currency are paid to it'),
  country: z.string().describe('ISO 3166 code of the country of the bank'),
  form: z.enum(BANK_ACCOUNT_FORMS).describe('Whether it is named by an IBAN or by a number and a bank code'),
  last4: z.string().describe('The last four characters of the IBAN or the number. The rest is never shown'),
  usable_at: z.iso
    .datetime()
    .describe('No payout goes to it before, UTC. After a change this is 24 hours later by default, to stop fraud'),
  updated_at: z.iso.datetime().describe('When it was set, UTC'),
});

/** The account without its number and without the name of its holder. */
export function presentBankAccount(account: BankAccount): z.output<typeof BankAccountView> {
  return {
    object: 'bank_account',
    courier_id: account.courierId,
    live_mode: account.liveMode,
    currency: account.currency,
    country: account.country,
    form: account.form,
    last4: account.last4,
    usable_at: isoTime(account.usableAt),
    updated_at: isoTime(account.updatedAt),
  };
}
