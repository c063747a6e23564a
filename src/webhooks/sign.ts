import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** Creates a secret: `whsec_` and 32 bytes in base64. The bytes are random if none are given. */
export function newWebhookSecret(entropy: Uint8Array | null = null): string {
  return `${PREFIX}${Buffer.from(entropy ?? randomBytes(32)).toString('base64')}`;
}

/**
 * The headers of one attempt in two schemes with the same secret. `X-Service-Signature` uses the whole secret as the key
 * and signs `t.body`, like Stripe. The `webhook-…` headers of the Standard Webhooks specification use the decoded bytes
 * and sign `id.timestamp.body`.
 * @param atS machine time of this attempt, seconds
 */
export function signatureHeaders(secret: string, id: string, atS: number, body: string): Record<string, string> {
  const service = createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex');
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${atS}.${body}`).digest('base64');
  return {
    'x-service-signature': `t=${atS},v1=${service}`,
    'webhook-id': id,
    'webhook-timestamp': String(atS),
    'webhook-signature': `v1,${standard}`,
  };
}
