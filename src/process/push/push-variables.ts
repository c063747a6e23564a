import { z } from 'zod';
import { ServiceAccount } from './fcm-token.ts';

function isServiceAccount(text: string): boolean {
  try {
    return ServiceAccount.safeParse(JSON.parse(text)).success;
  } catch {
    // The text is not JSON. The message of the schema says what it must be.
    return false;
  }
}

/** The environment variables of push services. */
export const PUSH_VARIABLES = {
  FCM_SERVICE_ACCOUNT: z
    .string()
    .refine(
      isServiceAccount,
      'must be the JSON of a service account of Google with project_id, client_email and private_key',
    )
    .exactOptional()
    .describe('Secret. The service account, as JSON, that sends pushes with Firebase Cloud Messaging'),
  PUSH_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .exactOptional()
    .describe(
      'The server sends signed pushes to this URL for devices of the provider `webhook`. It needs PUSH_SECRET. ' +
        'Production requires https and an address on the public internet',
    ),
  PUSH_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .exactOptional()
    .describe('Secret of at least 32 characters that differs from the others. It signs the requests to PUSH_URL'),
};

/** Reports a push server without its secret, or a secret without its server. */
export function halfPush(given: Readonly<Record<string, string>>): string[] {
  const isHalf = (given['PUSH_URL'] === undefined) !== (given['PUSH_SECRET'] === undefined);
  return isHalf ? ['PUSH_URL, PUSH_SECRET: set both to send pushes to a server of yours, or neither'] : [];
}
