import express, { type RequestHandler } from 'express';
import { isId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { GATEWAY_NAMES } from '../../../money/gateways.ts';
import type { Gateway } from '../../../ports/money/gateways.ts';
import type { Page } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';

/** Callbacks are small. The signature covers the bytes as they were sent. */
const MOST_BYTES = 65_536;

/** The callbacks of payment gateways. Their signature is the credential. */
export const CALLBACKS: readonly Page[] = [
  {
    kind: 'page',
    route: 'POST /gateways/{gateway}/callbacks',
    name: 'receiveGatewayCallback',
    tag: 'Wallets',
    summary: 'Receive the callback of a payment gateway',
    description:
      'Takes what a payment gateway reports about a payment, signed by that gateway. The report credits nothing: it ' +
      'makes the server ask the gateway about the payment.',
    type: 'application/json',
    param: { name: 'gateway', description: 'The payment gateway.', values: GATEWAY_NAMES },
    serve: (ctx) => [express.raw({ limit: MOST_BYTES, type: () => true, inflate: false }), receive(ctx)],
  },
];

async function reportLater(topUps: HttpContext['topUps'], { name }: Gateway, reference: unknown): Promise<void> {
  if (isId('top', reference)) await topUps.reportLater(reference, name);
}

/** Notes which payment the server must look at. The look itself comes later, so the answer is fast. */
function receive({ gateways, topUps }: HttpContext): RequestHandler {
  return async (req, res) => {
    const gateway = gateways.find(({ name }) => name === req.params['gateway']);
    if (gateway === undefined)
      throw new Refusal('route_not_found', { detail: 'This server does not use a payment gateway of this name.' });
    const body: unknown = req.body;
    const verdict = gateway.readCallback(Buffer.isBuffer(body) ? body : Buffer.alloc(0), req.headers);
    if (verdict.is === 'forged')
      throw new Refusal('unauthorized', { detail: 'The signature of the callback is wrong.' });
    if (verdict.is === 'about') {
      const { reference, isPaid } = verdict.callback;
      const isOpen = isId('top', reference) && (await topUps.report(reference, gateway.name, isPaid));
      // A page that takes several payments may report one more.
      if (!isOpen && gateway.paymentsOf !== undefined) await reportLater(topUps, gateway, reference);
    }
    // Without an answer of the gateway, it sends the callback again.
    if (verdict.is === 'taken_back')
      await reportLater(topUps, gateway, await gateway.chargebacks?.referenceOf(verdict.paymentId));
    res.json({ received: true });
  };
}
