import { generateKeyPairSync, randomBytes } from 'node:crypto';

const secret = (): string => randomBytes(32).toString('hex');

/** The variables that a server in production needs besides its engines, with secrets of this run. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://delivery.example',
  OTP_URL: 'https://messages.example/send',
  TOKEN_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  CURSOR_KEY: secret(),
  LINK_KEY: secret(),
  WEBHOOK_KEY: secret(),
  PEPPER: secret(),
};
