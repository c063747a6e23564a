import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '../../src/webhooks/sign.ts';

const BODY = JSON.stringify({ type: 'delivered', data: { price: '₦ 1,200' } });

test('[W1] a Standard Webhooks library verifies the signature, and not of another body', () => {
  const secret = newWebhookSecret();
  const headers = signatureHeaders([secret], 'evt_1', Math.floor(Date.now() / 1000), BODY);
  expect(new Webhook(secret).verify(BODY, headers)).toMatchObject({ type: 'delivered' });
  expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow();
});

test("[W2] Stripe's own verifier accepts X-Service-Signature with the whole secret, and no other secret", () => {
  const secret = newWebhookSecret();
  const header = signatureHeaders([secret], 'evt_1', Math.floor(Date.now() / 1000), BODY)['x-service-signature'] ?? '';
  const verify = (key: string): unknown => Stripe.webhooks.constructEvent(BODY, header, key);
  expect(verify(secret)).toMatchObject({ type: 'delivered' });
  expect(() => verify(newWebhookSecret())).toThrow();
});
