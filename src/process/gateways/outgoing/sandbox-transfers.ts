import { z } from 'zod';
import { isId } from '../../../domain/ids.ts';
import { amountOf } from '../../../money/amount.ts';
import type { Signer } from '../../../ports/access.ts';
import { refusedTransfer, TRANSFER_STATUSES, type Sending, type Transfer } from '../../../money/payouts/transfer.ts';
import type { ListedTransfer } from '../../../money/reconcile/judge-transfers.ts';
import type { GatewayRefunds, GatewayTransfers } from '../../../ports/money/gateways.ts';
import { askGateway, readAnswer, tellGateway } from '../ask-gateway.ts';
import { isRefused } from './read-outcome.ts';

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

/** The sandbox as this server reaches it: over HTTP alone. */
type Sandbox = { readonly url: string; readonly signer: Signer; readonly realMs: number };

/** The transfers of the sandbox gateway. */
export function createSandboxTransfers(sandbox: Sandbox): GatewayTransfers {
  const { make, read } = callsOf(sandbox, 'transfers');
  return {
    pays: () => true,
    prepare: async ({ to, ...order }) => {
      const { holderName: holder_name, country, number, bankCode: bank_code } = to;
      return () => make({ ...order, account: { holder_name, country, number, bank_code } });
    },
    find: (reference) => transferIn(read(`/${reference}`)),
    list: async ({ from, to }, after) => {
      const query = new URLSearchParams({ from: `${from}`, to: `${to}`, ...(after === null ? {} : { after }) });
      const { transfers, next } = readAnswer(Listed, (await read(`?${query.toString()}`)).json);
      return { items: transfers.flatMap(listedOf), next };
    },
  };
}

/** The refunds of the sandbox gateway. */
export function createSandboxRefunds(sandbox: Sandbox): GatewayRefunds {
  const { make, read } = callsOf(sandbox, 'refunds');
  return {
    prepare: async ({ paymentId: payment, reference, amount, currency }) => {
      return () => make({ reference, amount, currency, payment });
    },
    find: ({ reference }) => transferIn(read(`/${reference}`)),
  };
}

/** The body of a request. A transfer names an account, and a refund a payment. */
type Order = {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly account?: object;
  readonly payment?: string;
};

function callsOf({ url, signer, realMs }: Sandbox, path: 'transfers' | 'refunds') {
  const headers = { authorization: `Bearer ${signer.sign('credential')}` };
  const at = `${url}/sandbox/${path}`;
  return {
    make: async (body: Order): ReturnType<Sending> => {
      const answer = await tellGateway({ method: 'POST', url: at, headers, body, realMs });
      if (answer === 'not_taken') return answer;
      const { status, json } = answer;
      return isRefused(status) ? refusedTransfer(body) : readAnswer(Told, json);
    },
    read: (rest: string) => askGateway({ method: 'GET', url: `${at}${rest}`, headers, realMs }),
  };
}

async function transferIn(asked: ReturnType<typeof askGateway>): Promise<Transfer | 'absent'> {
  const { status, json } = await asked;
  return status === 404 ? 'absent' : readAnswer(Told, json);
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
