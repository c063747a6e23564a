import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Signer } from '../../ports/access.ts';

/** Signs with HMAC-SHA256 in base64url, and verifies in constant time. */
export function createSigner(key: string): Signer {
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign,
    verify: (text, mac) => {
      const right = Buffer.from(sign(text));
      const given = Buffer.from(mac);
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}

/** Signs for the sandbox gateway. Its key follows from the key of webhook secrets. */
export function createSandboxSigner(webhookKey: Buffer): Signer {
  return createSigner(createHmac('sha256', webhookKey).update('sandbox gateway').digest('base64url'));
}

/** Signs links to files. Its key follows from the secret of tracking links. */
export function createFileSigner(linkKey: string): Signer {
  return createSigner(createHmac('sha256', linkKey).update('links to files').digest('base64url'));
}
