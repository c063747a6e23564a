import type { Mongo } from '../../../src/engines/mongo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { openingAt, periodAfter } from '../../../src/money/settlement/periods.ts';
import { planSettlement } from '../../../src/money/settlement/plan-settlement.ts';
import type { Settlement, SettlementAccount } from '../../../src/money/settlement/settlement.ts';
import { gatherStatement } from '../../../src/money/settlement/statement.ts';
import { accountRowOf } from '../../../src/models/ledger/settlement/settlement-rows.ts';
import { SETTLEMENT_ACCOUNTS } from '../../../src/models/ledger/settlement/settlement-shapes.ts';
import type { Context } from '../../../src/ports/context.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aVendor, NOON } from '../../builders.ts';
import { aLine } from '../billing/charges.ts';

const NONE = amountOf(0);

/** The account of a vendor of which nothing was settled. */
export function anAccount(over: Partial<SettlementAccount> = {}): SettlementAccount {
  const period = periodAfter('UTC', { cycle: 'daily', cutOff: '00:00' }, openingAt(NOON));
  const of = { vendorId: newId('ven'), liveMode: false, book: 'test.EUR', period } as const;
  return { ...of, link: 0, carried: NONE, dueAt: period.to, failures: 0, version: 1, ...over };
}

/** The settlement of an account for an order value and a charge, and the account after it. */
export function aSettlement(account = anAccount(), orderValue = 5000) {
  const gathering = gatherStatement();
  gathering.add({
    kind: 'order_value',
    changes: { wallet: NONE, receivable: NONE, payable: amountOf(orderValue) },
    lines: [],
  });
  gathering.add({
    kind: 'charge',
    changes: { wallet: amountOf(-450), receivable: NONE, payable: NONE },
    lines: [aLine('delivery', 450, 30)],
  });
  const read = { statement: gathering.statement(), upTo: account.link + 1 };
  const { settlement, next } = planSettlement(account, aVendor(), read, defaultSettings().settlement, NOON);
  if (settlement === null) throw new Error('the period has entries');
  return { settlement, next };
}

/** Stores the settlement of a new vendor, or of this one. */
export async function settleOnce(
  { mongo, settlements }: Pick<Context, 'settlements'> & { readonly mongo: Mongo },
  over: Partial<SettlementAccount> = {},
  orderValue = 5000,
): Promise<Settlement> {
  const account = anAccount(over);
  const { settlement, next } = aSettlement(account, orderValue);
  await mongo.collection(SETTLEMENT_ACCOUNTS).insertOne(accountRowOf(account));
  await settlements.issue(next, settlement);
  return settlement;
}
