import { printInvoice, readInvoiceOf, readReceipt } from '../../../dispatch/billing/read-bill.ts';
import { maySee } from '../../../domain/access.ts';
import { isId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Invoice, Receipt } from '../../../money/billing/bill.ts';
import { paperOf } from '../../../money/billing/print-bill.ts';
import { Answer, endpoint, type FileContent } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { payerOf } from '../../owner.ts';
import type { CallerOf } from '../../policy.ts';
import {
  InvoiceHeadView,
  InvoiceListQuery,
  InvoiceQuery,
  InvoiceView,
  presentBill,
  presentHead,
} from '../../wire/billing/invoice.ts';
import type { AskedPayer } from '../../wire/billing/payer.ts';

/** The invoices of a vendor. */
export const INVOICES = [
  endpoint({
    route: 'GET /billing/invoices',
    name: 'listInvoices',
    tag: 'Billing',
    summary: 'List invoices and credit notes, newest first',
    description:
      'Returns the invoices of all months and the credit notes, without their lines. A refund of a charge that stands ' +
      'on an earlier invoice is on a credit note, which the server issues after the month of the refund. Staff name the ' +
      'vendor.',
    query: InvoiceListQuery,
    reply: listOf(InvoiceHeadView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const filter = { ...payerOf(caller, query), ...query.narrowed };
      const scope = `invoices ${JSON.stringify(filter)}`;
      const page = await ctx.invoices.list(filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentHead));
    },
  }),
  endpoint({
    route: 'GET /billing/invoices/{id}',
    name: 'getInvoice',
    tag: 'Billing',
    summary: 'Download an invoice or a credit note, or the receipt of a delivery',
    description:
      'Returns a PDF, or JSON with the same lines if the caller prefers `application/json`. The id is that of an ' +
      'invoice or a credit note, a month such as `2026-01`, or a delivery. The server issues one invoice for each month with charges, ' +
      'after the month has ended in the time zone of the vendor. Until then the answer is 409 `invoice_not_issued`. ' +
      'A delivery has a receipt, which has no number. Staff who ask for a month name the vendor.',
    id: 'invoice',
    query: InvoiceQuery,
    reply: InvoiceView,
    file: {
      type: 'application/pdf',
      open: async (ctx, { caller, id, query }) => pdfAnswer(ctx, await readBill(ctx, caller, id, query)),
    },
    status: 200,
    refuses: [409],
    run: async (ctx, { caller, id, query }) => presentBill(await readBill(ctx, caller, id, query)),
  }),
];

type Reader = CallerOf<'GET /billing/invoices/{id}'>;

/** The document of this name, as the caller may see it. */
async function readBill(ctx: HttpContext, caller: Reader, name: string, asked: AskedPayer): Promise<Invoice | Receipt> {
  if (isId('del', name)) {
    const delivery = await ctx.deliveries.find(name);
    if (delivery === null || !maySee(caller, delivery)) throw new Refusal('invoice_not_found');
    return readReceipt(ctx, delivery);
  }
  if (!isId('inv', name)) return readInvoiceOf(ctx, payerOf(caller, asked), name);
  const invoice = await ctx.invoices.find(name);
  if (invoice === null || !isTheirs(caller, invoice)) throw new Refusal('invoice_not_found');
  return invoice;
}

function isTheirs(caller: Reader, { vendorId, liveMode }: Invoice): boolean {
  return caller.type === 'staff' || (caller.vendorId === vendorId && caller.liveMode === liveMode);
}

async function pdfAnswer(ctx: HttpContext, bill: Invoice | Receipt): Promise<Answer<FileContent>> {
  const isInvoice = 'number' in bill;
  const { pdf } = isInvoice ? await printInvoice(ctx, bill) : await ctx.printer.print(paperOf(bill));
  const name = isInvoice ? bill.number : `receipt-${bill.deliveryId}`;
  const headers = {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `attachment; filename="${name}.pdf"`,
    Vary: 'Accept',
  };
  return new Answer<FileContent>(pdf, { headers });
}
