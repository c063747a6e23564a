import { z } from 'zod';
import { isId } from '../../domain/ids.ts';
import { amountOf } from '../../money/amount.ts';
import type { Signer } from '../../ports/access.ts';
import { TRANSFER_STATUSES } from '../../money/payouts/transfer.ts';
import type { ListedTransfer } from '../../money/reconcile/judge-transfers.ts';
import type { GatewayTransfers } from '../../ports/money/gateways.ts';
import { askGateway, readAnswer } from './ask-gateway.ts';

const Told = z.object({
  status: z.enum(TRANSFER_STATUSES),
  amount: z.int(),
  currency: z.string(),
  reason: z.string().nullable(),
});
const Listed = z.object({
  transfers: z.array(
    z.object({
      reference: z.string(),
      status: z.enum(TRANSFER_STATUSES),
      amount: z.int().positive(),
      currency: z.string(),
      created_at: z.iso.datetime(),
    }),
  ),
  next: z.string().nullable(),
});

/** The transfers of the sandbox gateway, which this server reaches over HTTP alone. */
export function createSandboxTransfers({
  url,
  signer,
  realMs,
}: {
  readonly url: string;
  readonly signer: Signer;
  readonly realMs: number;
}): GatewayTransfers {
  const headers = { authorization: `Bearer ${signer.sign('credential')}` };
  return {
    send: async ({ reference, amount, currency, to }) => {
      const account = {
        holder_name: to.holderName,
        country: to.country,
        number: to.number,
        bank_code: to.bankCode,
      };
      const body = { reference, amount, currency, account };
      const { status, json } = await askGateway({
        method: 'POST',
        url: `${url}/sandbox/transfers`,
        headers,
        body,
        realMs,
      });
      // A refused transfer does not exist, so it has failed for ever.
      if (status === 400 || status === 422) return { status: 'failed', amount, currency, reason: 'refused_by_gateway' };
      return readAnswer(Told, json);
    },
    find: async (reference) => {
      const at = `${url}/sandbox/transfers/${reference}`;
      const { status, json } = await askGateway({ method: 'GET', url: at, headers, realMs });
      return status === 404 ? 'absent' : readAnswer(Told, json);
    },
    list: async ({ from, to }, after) => {
      const query = new URLSearchParams({ from: `${from}`, to: `${to}`, ...(after === null ? {} : { after }) });
      const at = `${url}/sandbox/transfers?${query.toString()}`;
      const { json } = await askGateway({ method: 'GET', url: at, headers, realMs });
      const { transfers, next } = readAnswer(Listed, json);
      return { items: transfers.flatMap(listedOf), next };
    },
  };
}

/** A successful transfer; nothing for any other one. */
function listedOf({
  reference,
  status,
  amount,
  currency,
  created_at: at,
}: z.output<typeof Listed>['transfers'][number]): ListedTransfer[] {
  if (status !== 'success') return [];
  const payoutId = isId('pay', reference) ? reference : null;
  return [{ gatewayId: reference, payoutId, amount: amountOf(amount), currency, createdAt: Date.parse(at) }];
}
