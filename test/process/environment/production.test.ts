import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/config.ts';
import { isGuessable } from '../../../src/process/environment/guessable.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const hex = (): string => randomBytes(32).toString('hex');
const jwk = (): string => JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));

const SOUND = {
  NODE_ENV: 'production',
  MONGO_URL: 'mongodb://db.example/dispatch',
  REDIS_URL: 'redis://redis.example',
  BASE_URL: 'https://delivery.example',
  OTP_URL: 'https://messages.example/send',
  TOKEN_KEY: jwk(),
  CURSOR_KEY: hex(),
  LINK_KEY: hex(),
  WEBHOOK_KEY: hex(),
  PEPPER: hex(),
};

/** The mistakes of production with these variables put otherwise, one sentence each. */
function mistakes(over: Environment): string[] {
  try {
    readConfig({ ...SOUND, ...over });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

test('[Z45] production starts with sound settings, and says everything that is missing at once', () => {
  expect(mistakes({})).toEqual([]);
  const nothing = Object.fromEntries(Object.keys(SOUND).map((name) => [name, undefined]));
  const names = Object.keys(SOUND).filter((name) => name !== 'NODE_ENV');
  const told = mistakes({ ...nothing, NODE_ENV: 'production' });
  expect(namesOf(told)).toEqual(names.toSorted());
  for (const line of told) expect(line).toContain('must be set in production');
});

test('[Z45] a mistake in one setting hides no mistake in another', () => {
  const told = mistakes({ PORT: 'x', OTP_URL: 'nowhere', CLOCK_SCALE: '10', BASE_URL: '', PEPPER: 'short' });
  expect(namesOf(told)).toEqual(['BASE_URL', 'CLOCK_SCALE', 'OTP_URL', 'PEPPER', 'PORT']);
});

test.each([
  ['equal', { PEPPER: SOUND.LINK_KEY }, /^LINK_KEY, PEPPER: must be independent/],
  ['almost equal', { PEPPER: `${SOUND.LINK_KEY}1` }, /^LINK_KEY, PEPPER: must be independent/],
  ['too short', { PEPPER: hex().slice(0, 31) }, /^PEPPER: must have at least 32 characters$/],
  ['one character', { PEPPER: 'a'.repeat(64) }, /^PEPPER: can be guessed/],
  ['a repeated word', { PEPPER: 'changeme'.repeat(8) }, /^PEPPER: can be guessed/],
  ['two characters', { PEPPER: 'ab'.repeat(40) }, /^PEPPER: can be guessed/],
  ['a sequence', { PEPPER: 'abcdefghijklmnopqrstuvwxyz0123456789' }, /^PEPPER: can be guessed/],
  ['repeated digits', { PEPPER: '0123456789abcdef'.repeat(4) }, /^PEPPER: can be guessed/],
  ['placeholders', { PEPPER: 'my-super-secret-key-please-change-me-in-production' }, /^PEPPER: can be guessed/],
  ['no key', { TOKEN_KEY: 'x'.repeat(80) }, /^TOKEN_KEY: must be an Ed25519 private key as JWK JSON/],
  [
    'a public key',
    { TOKEN_KEY: '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}' },
    /^TOKEN_KEY: must be/,
  ],
  ['a key of zeros', { TOKEN_KEY: zeros() }, /^TOKEN_KEY: can be guessed/],
])('[Z45] production refuses a secret that is %s', (_what, over, sentence) => {
  const told = mistakes(over);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(sentence);
});

function zeros(): string {
  // The public half of the private key of 32 zero bytes.
  const x = 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik';
  return JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: Buffer.alloc(32).toString('base64url'), x });
}

test('[Z45] no random secret is taken for one that can be guessed', () => {
  const secrets = Array.from({ length: 3000 }, () => [
    randomBytes(16).toString('hex'),
    randomBytes(24).toString('base64'),
    randomBytes(32).toString('base64url'),
  ]).flat();
  expect(secrets.filter(isGuessable)).toEqual([]);
});

test('[Z65] a token for the metrics is not needed, and is refused if it is weak, cannot be sent or is another secret', () => {
  expect(mistakes({ METRICS_TOKEN: hex() })).toEqual([]);
  for (const [token, sentence] of [
    ['short', /^METRICS_TOKEN: must have 32 to 4096 visible ASCII characters$/],
    [`${hex()} ${hex()}`, /^METRICS_TOKEN: must have 32 to 4096 visible ASCII characters$/],
    [`${hex()}é`, /^METRICS_TOKEN: must have 32 to 4096 visible ASCII characters$/],
    [hex().repeat(65), /^METRICS_TOKEN: must have 32 to 4096 visible ASCII characters$/],
    ['changeme'.repeat(8), /^METRICS_TOKEN: can be guessed/],
    [SOUND.PEPPER, /^PEPPER, METRICS_TOKEN: must be independent/],
  ] as const) {
    const told = mistakes({ METRICS_TOKEN: token });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(sentence);
  }
});

test.each([
  ['OTP_URL', 'http://messages.example/send', /^OTP_URL: must start with https:/],
  ['OTP_URL', 'ftp://messages.example/send', /^OTP_URL: must be an http or https URL/],
  ['BASE_URL', 'http://delivery.example', /^BASE_URL: must start with https:/],
  ['BASE_URL', 'delivery.example', /^BASE_URL: must be an http or https URL/],
  ['BASE_URL', 'https://delivery.example/?a=1', /^BASE_URL: must be an http or https URL/],
  ['BASE_URL', 'https://user:pw@delivery.example', /^BASE_URL: must be an http or https URL/],
  ['BASE_URL', 'http://127.0.0.1.example', /^BASE_URL: must start with https:/],
])('[Z46] production refuses %s=%s', (name, url, sentence) => {
  const told = mistakes({ [name]: url });
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(sentence);
});

test('[Z46] http is enough for a server on this machine, and a slash at the end of BASE_URL is left out', () => {
  for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
    expect(mistakes({ BASE_URL: url })).toEqual([]);
  }
  expect(readConfig({ BASE_URL: 'http://127.0.0.1:3000/' }).settings.http.baseUrl).toBe('http://127.0.0.1:3000');
  expect(readConfig({ BASE_URL: 'https://a.example/b/' }).settings.http.baseUrl).toBe('https://a.example/b');
  expect(readConfig({}).settings.http.baseUrl).toBe('');
});

function namesOf(told: readonly string[]): string[] {
  return told.map((line) => line.slice(0, line.indexOf(':'))).toSorted();
}
