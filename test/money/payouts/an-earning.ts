import { newId, type CourierId, type DeliveryId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { bookOf, courierAccount, platformAccount, vendorAccount } from '../../../src/money/ledger/accounts.ts';
import type { Entry } from '../../../src/money/ledger/entries.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';

/** Books the charge of a delivery that has earned its courier pay and a tip, as its end does. Returns the delivery. */
export async function earn(
  { ledger }: { readonly ledger: Pick<Ledger, 'post'> },
  courierId: CourierId,
  {
    pay,
    tip = 0,
    currency = 'EUR',
    liveMode = false,
  }: { pay: number; tip?: number; currency?: string; liveMode?: boolean },
): Promise<DeliveryId> {
  const [deliveryId, vendorId] = [newId('del'), newId('ven')];
  const book = bookOf(liveMode, currency);
  const posting = (account: Entry['postings'][number]['account'], amount: number) => ({
    account,
    amount: amountOf(amount),
  });
  const entry: Entry = {
    key: `charge:${deliveryId}`,
    kind: 'charge',
    book,
    vendorId,
    postings: [
      posting(vendorAccount('receivable', vendorId, book), -(pay + 25 + tip)),
      posting(platformAccount('revenue', book), pay + 20),
      posting(platformAccount('tax', book), 5),
      posting(platformAccount('delivery_cost', book), -pay),
      posting(courierAccount('earnings', courierId, book), pay + tip),
    ],
    lines: [
      { type: 'delivery', amount: amountOf(pay + 25), tax: amountOf(5) },
      ...(tip === 0 ? [] : [{ type: 'tip' as const, amount: amountOf(tip), tax: amountOf(0) }]),
    ],
    about: deliveryId,
    reason: null,
  };
  const result = await ledger.post({ do: 'post', entry }, null);
  if (!result.ok) throw new Error(result.why);
  return deliveryId;
}
