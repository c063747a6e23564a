import { createHmac, randomBytes } from 'node:crypto';
import type { Secrets } from '../ports/webhooks.ts';

const PREFIX = 'whsec_';

/** Creates a secret: `whsec_` and 32 bytes in base64. The bytes are random if none are given. */
export function newWebhookSecret(entropy: Uint8Array | null = null): string {
  return `${PREFIX}${Buffer.from(entropy ?? randomBytes(32)).toString('base64')}`;
}

/**
 * The headers of one attempt in two schemes with the same secrets. `X-Service-Signature` uses the whole secret as the key
 * and signs `t.body`, like Stripe. The `webhook-…` headers of the Standard Webhooks specification use the decoded bytes
 * and sign `id.timestamp.body`.
 * @param secrets the secret, and the one before it while that is valid: each makes a signature of its own
 * @param atS machine time of this attempt, seconds
 */
export function signatureHeaders(secrets: Secrets, id: string, atS: number, body: string): Record<string, string> {
  const service = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${atS}.${body}`).digest('base64')}`;
  });
  return {
    'x-service-signature': [`t=${atS}`, ...service].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(atS),
    'webhook-signature': standard.join(' '),
  };
}
