import { z } from 'zod';
import type { Signer } from '../../ports/access.ts';
import { TRANSFER_STATUSES } from '../../money/payouts/transfer.ts';
import type { GatewayTransfers } from '../../ports/money/gateways.ts';
import { askGateway, readAnswer } from './ask-gateway.ts';

const Told = z.object({
  status: z.enum(TRANSFER_STATUSES),
  amount: z.int(),
  currency: z.string(),
  reason: z.string().nullable(),
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
  };
}
