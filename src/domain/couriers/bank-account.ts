import type { CourierId } from '../ids.ts';

/** An account is named by an IBAN, or by the number and the bank code that are used in its country. */
export const BANK_ACCOUNT_FORMS = ['iban', 'local'] as const;
export type BankAccountForm = (typeof BANK_ACCOUNT_FORMS)[number];

/** The facts that a transfer needs. Only a gateway gets all of them. */
export type BankDetails = {
  readonly holderName: string;
  /** ISO 3166 code of two letters. */
  readonly country: string;
  readonly form: BankAccountForm;
  /** The IBAN or the number. */
  readonly number: string;
  /** Null for an IBAN, which contains it. */
  readonly bankCode: string | null;
};

/** The bank account of a courier. `*At` fields are service time in ms. */
export type BankAccount = Pick<BankDetails, 'country' | 'form'> & {
  readonly courierId: CourierId;
  readonly liveMode: boolean;
  /** Only payouts in this currency go to it. */
  readonly currency: string;
  /** The details, encrypted. */
  readonly sealedDetails: string;
  readonly last4: string;
  /** No payout goes to it before. */
  readonly usableAt: number;
  readonly updatedAt: number;
  readonly version: number;
};

/** A bank account as it is asked for. The reason is for the audit log. */
export type NewBankAccount = {
  readonly currency: string;
  readonly details: BankDetails;
  readonly reason: string | null;
};

/** In the checksum of an IBAN, letters count as numbers: A is 10. */
const LETTER_BASE = 36;

/** Says whether the check digits of an IBAN fit (ISO 7064, modulo 97). The text must have the form of an IBAN. */
export function isIban(text: string): boolean {
  const turned = `${text.slice(4)}${text.slice(0, 4)}`;
  const digits = Array.from(turned, (sign) => String(Number.parseInt(sign, LETTER_BASE))).join('');
  return BigInt(digits) % 97n === 1n;
}
