import { amountOf } from '../../../money/amount.ts';
import { bookOf, currencyOf } from '../../../money/ledger/accounts.ts';
import type { Settlement, SettlementAccount } from '../../../money/settlement/settlement.ts';
import type { Statement } from '../../../money/settlement/statement.ts';
import { accountId } from '../../common-fields.ts';
import type { SettlementAccountRow, SettlementRow, StatementRow } from './settlement-shapes.ts';

export function accountRowOf({ period, carried, ...account }: SettlementAccount): SettlementAccountRow {
  return { _id: accountId(account), ...account, ...period, carried: BigInt(carried) };
}

export function accountOf({
  _id,
  cycle,
  zone,
  from,
  to,
  date,
  carried,
  ...row
}: SettlementAccountRow): SettlementAccount {
  return { ...row, period: { cycle, zone, from, to, date }, carried: amountOf(carried) };
}

export function rowOf(settlement: Settlement): SettlementRow {
  const { currency, period, statement, carriedIn, amount, carriedOut, ...rest } = settlement;
  const book = bookOf(rest.liveMode, currency);
  return {
    _id: `${accountId({ ...rest, book })}:${period.cycle}:${period.date}`,
    ...rest,
    book,
    ...period,
    statement: exact(statement),
    carriedIn: BigInt(carriedIn),
    amount: BigInt(amount),
    carriedOut: BigInt(carriedOut),
  };
}

export function settlementOf(row: SettlementRow): Settlement {
  const {
    _id,
    book,
    cycle,
    zone,
    from,
    to,
    date,
    statement,
    carriedIn,
    amount,
    carriedOut,
    failures = 0,
    ...rest
  } = row;
  return {
    ...rest,
    currency: currencyOf(book),
    period: { cycle, zone, from, to, date },
    statement: plain(statement),
    carriedIn: amountOf(carriedIn),
    amount: amountOf(amount),
    carriedOut: amountOf(carriedOut),
    failures,
  };
}

function exact({ entries, sections, charges, paidOut, changes }: Statement): StatementRow {
  const { wallet, receivable, payable } = changes;
  return {
    entries,
    sections: sections.map((one) => ({ ...one, amount: BigInt(one.amount) })),
    charges: charges.map((one) => ({ ...one, amount: BigInt(one.amount), tax: BigInt(one.tax) })),
    paidOut: BigInt(paidOut),
    changes: { wallet: BigInt(wallet), receivable: BigInt(receivable), payable: BigInt(payable) },
  };
}

function plain({ entries, sections, charges, paidOut, changes }: StatementRow): Statement {
  const { wallet, receivable, payable } = changes;
  return {
    entries,
    sections: sections.map((one) => ({ ...one, amount: amountOf(one.amount) })),
    charges: charges.map((one) => ({ ...one, amount: amountOf(one.amount), tax: amountOf(one.tax) })),
    paidOut: amountOf(paidOut),
    changes: { wallet: amountOf(wallet), receivable: amountOf(receivable), payable: amountOf(payable) },
  };
}
