import { z } from 'zod';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import {
  refusedTransfer,
  type Transfer,
  type TransferOrder,
  type TransferStatus,
} from '../../../money/payouts/transfer.ts';
import type { GatewayTransfers } from '../../../ports/money/gateways.ts';
import { readAnswer } from '../ask-gateway.ts';

const Refused = z.object({ message: z.string() });

/** The statuses of an answer that refuses what was asked for. Any other one may come from a proxy, and says nothing. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422]);

/** Whether an answer with this status has done what was asked for. */
export function isDone(status: number): boolean {
  return status === 200 || status === 201;
}

/** Whether an answer with this status refuses what was asked for. */
export function isRefused(status: number): boolean {
  return REFUSALS.has(status);
}

/** Checks that the answer refuses what was asked for. Refuses `gateway_unavailable` for any other answer. */
export function expectRefusal(status: number): void {
  if (!isRefused(status)) throw new Refusal('gateway_unavailable');
}

/**
 * The transfer or refund whose gateway names it by a word. The word is the reason of one that was not paid.
 * @param statuses the meaning of each word. A word that is not in the table means that nothing is known yet
 */
export function readOutcome(
  statuses: Readonly<Record<string, TransferStatus>>,
  { status: word, amount, currency }: { readonly status: string; readonly amount: number; readonly currency: string },
): Transfer {
  const status = statuses[word] ?? 'pending';
  return { status, amount, currency, reason: status === 'success' || status === 'pending' ? null : word };
}

/**
 * The transfer after its gateway has refused to make it: the one that the gateway knows by the reference, else a failed
 * one. A complaint about the reference says that a transfer has it. So nothing is known until that one can be found.
 * @param answer the answer that refuses it
 */
export async function afterRefusal(
  order: TransferOrder,
  { status, json }: { readonly status: number; readonly json: unknown },
  find: GatewayTransfers['find'],
): Promise<Transfer> {
  expectRefusal(status);
  const { message } = readAnswer(Refused, json);
  const known = await find(order.reference);
  if (known !== 'absent') return known;
  if (/reference/i.test(message)) throw new Refusal('gateway_unavailable');
  return refusedTransfer(order);
}
