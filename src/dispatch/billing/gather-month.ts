import type { DeliveryId } from '../../domain/ids.ts';
import type { CreditedInvoice, Invoice } from '../../money/billing/bill.ts';
import { gatherLines, type Gathering } from '../../money/billing/gather-lines.ts';
import { BILLED_KINDS, type Transaction } from '../../money/billing/transactions.ts';
import type { Context } from '../../ports/context.ts';
import type { Wallet } from '../../ports/money/billing.ts';
import type { PageRequest } from '../../ports/pages.ts';

type Needs = Pick<Context, 'invoices' | 'transactions'>;

/** The lines of one document. `credits` is the invoice that a credit note corrects; null for the invoice of the month. */
type Gathered = { readonly credits: CreditedInvoice | null; readonly gathering: Gathering };

/** A wallet and the span of its month, service time in ms, half-open. */
type Month = Wallet & { readonly from: number; readonly to: number };

/** Transactions of one read. */
const PAGE = 500;

/**
 * Reads all charges and refunds of a month, page by page, and divides them over its documents. A refund whose charge is
 * of the same month reduces its invoice. Any other is on a credit note for the invoice that has the charge. If there is
 * no such invoice, it reduces the invoice of the month too, so that each refund is on one document.
 * @returns the documents with lines
 */
export async function gatherMonth(ctx: Needs, zone: string, month: Month): Promise<Gathered[]> {
  const invoice: Gathered = { credits: null, gathering: gatherLines(zone) };
  const credits = new Map<string, Gathered>();
  const find = finderOf(ctx, month);
  const filter = { ...month, kinds: BILLED_KINDS };
  let after: PageRequest['after'] = null;
  do {
    const page = await ctx.transactions.list(filter, { limit: PAGE, after });
    const chargedAt = await readChargedAt(ctx, page.items);
    for (const transaction of page.items) {
      const at = chargedAt.get(transaction) ?? month.from;
      const earlier = at < month.from ? await find(at) : null;
      gatheredFor(credits, zone, invoice, earlier).gathering.add(transaction);
    }
    after = page.next;
  } while (after !== null);
  return [invoice, ...credits.values()].filter(({ gathering }) => gathering.lines().length > 0);
}

function gatheredFor(credits: Map<string, Gathered>, zone: string, own: Gathered, earlier: Invoice | null): Gathered {
  if (earlier === null) return own;
  const { id, number } = earlier;
  const known = credits.get(id) ?? { credits: { id, number }, gathering: gatherLines(zone) };
  credits.set(id, known);
  return known;
}

/** When the charges of these refunds were booked. */
async function readChargedAt(
  { transactions }: Needs,
  items: readonly Transaction[],
): Promise<ReadonlyMap<Transaction, number>> {
  const refunds = items.flatMap((one) => (one.kind === 'refund' && one.deliveryId !== null ? [one] : []));
  if (refunds.length === 0) return new Map();
  const ids = [...new Set(refunds.map(({ deliveryId }) => deliveryId as DeliveryId))];
  const found = await transactions.chargedAt(ids);
  return new Map(
    refunds.flatMap((one) => {
      const at = found.get(one.deliveryId as DeliveryId);
      return at === undefined ? [] : [[one, at] as const];
    }),
  );
}

/** Finds the invoice that has the charges of an instant, and remembers it. A month corrects few of them. */
function finderOf({ invoices }: Needs, { book, ...payer }: Month): (at: number) => Promise<Invoice | null> {
  const known: Invoice[] = [];
  return async (at) => {
    const one = known.find(({ from, to }) => from <= at && at < to);
    if (one !== undefined) return one;
    const found = await invoices.findCharging(payer, book, at);
    if (found !== null) known.push(found);
    return found;
  };
}
