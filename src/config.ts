import { createPrivateKey, type JsonWebKeyInput } from 'node:crypto';
import { z } from 'zod';
import { misspellings } from './process/environment/misspelt.ts';
import { parseRedisUrl } from './engines/redis/redis-url.ts';
import { SECRET_NAMES, SECRETS, type SecretName } from './models/secrets/secrets.ts';
import { ENGINE_VARIABLES } from './process/environment/engine-variables.ts';
import { MAP_VARIABLES, twoMaps } from './process/environment/map-variables.ts';
import { GATEWAY_VARIABLES, halfGateways } from './process/gateways/gateway-variables.ts';
import { halfPush, PUSH_VARIABLES } from './process/push/push-variables.ts';
import { productionMistakes } from './process/environment/production.ts';
import { Settings } from './settings.ts';
import { StartError } from './process/start-error.ts';

/** The variables of settings whose name is shorter than `GROUP_KEY`. */
const SHORT_NAMES: Record<string, string> = { HTTP_PORT: 'PORT', HTTP_HOST: 'HOST', HTTP_BASE_URL: 'BASE_URL' };

const SECRET_FIELDS = Object.fromEntries(SECRET_NAMES.map((name) => [name, secretField(name)])) as Record<
  SecretName,
  ReturnType<typeof secretField>
>;

/** Variables that do not change how the product behaves: its environment, its engines and its secrets. */
const Surroundings = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('In production the server refuses to start with unsafe defaults'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('Lowest level that is logged, as JSON lines on stderr'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('Folder of demo.json and of the data of engines that the server starts itself'),
  MONGO_URL: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'MongoDB replica set or sharded cluster. Outside production the server starts its own MongoDB without it',
    ),
  REDIS_URL: z
    .string()
    .min(1)
    .superRefine(checkRedisUrl)
    .exactOptional()
    .describe(
      'Redis: redis://host:port, rediss:// for TLS, or unix:///… for a socket; several addresses of one Redis ' +
        'Cluster, separated by commas; or redis+sentinel://host:port,host:port/name. Outside production the server ' +
        'starts its own Redis without it',
    ),
  REDIS_PREFIX: z
    .string()
    .max(32)
    .default('')
    .describe('Prefix of every Redis key, so that several installations can share one Redis'),
  ...ENGINE_VARIABLES,
  ...MAP_VARIABLES,
  OTP_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .exactOptional()
    .describe(
      'The server sends POST {phone, code} to this URL for live one-time codes. Without it the server logs the codes. ' +
        'Production requires it, with https',
    ),
  S3_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL with the name of a bucket' })
    .exactOptional()
    .describe(
      'Bucket of an S3 service that keeps the content of files, such as https://s3.example/bucket. Without it the ' +
        'database keeps it. It needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    ),
  S3_REGION: z.string().min(1).default('auto').describe('Region of the S3 service'),
  S3_ACCESS_KEY_ID: z.string().min(1).exactOptional().describe('Name of the credential for the S3 service'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).exactOptional().describe('Secret. The credential for the S3 service'),
  ...PUSH_VARIABLES,
  ...GATEWAY_VARIABLES,
  ...SECRET_FIELDS,
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,4096}$/, 'must have 32 to 4096 visible ASCII characters')
    .exactOptional()
    .describe(
      'Secret of at least 32 characters that differs from the others. A scraper sends it to /metrics as ' +
        'Authorization: Bearer …, because the metrics contain business figures. Without it only callers on the same ' +
        'machine can read them, and in production nobody can',
    ),
});

function secretField(name: SecretName) {
  const use = SECRETS[name];
  if (name !== 'TOKEN_KEY') {
    const field = z.string().min(32, 'must have at least 32 characters');
    return field.exactOptional().describe(`Secret of at least 32 characters that differs from the others. It ${use}`);
  }
  return z
    .string()
    .refine(isSigningKey, 'must be an Ed25519 private key as JWK JSON: {"kty":"OKP","crv":"Ed25519","d":…,"x":…}')
    .exactOptional()
    .describe(`Secret. It ${use}`);
}

function isSigningKey(text: string): boolean {
  try {
    const key = createPrivateKey({ key: JSON.parse(text) as JsonWebKeyInput['key'], format: 'jwk' });
    return key.asymmetricKeyType === 'ed25519';
  } catch {
    // The text is not JSON or not a key. The message of the schema says what it must be.
    return false;
  }
}

export type Config = { readonly settings: Settings; readonly around: z.output<typeof Surroundings> };

type Environment = Readonly<Record<string, string | undefined>>;
type Given = Readonly<Record<string, string>>;

/** Every mistake in the environment, one sentence a line. */
export class ConfigError extends StartError {}

/** Reads the config from the environment and reports all mistakes together. */
export function readConfig(env: Environment): Config {
  const given = present(env);
  const around = Surroundings.safeParse(given);
  const settings = Settings.safeParse(collect(given));
  const wrong = [...wrongOf(around, ([name]) => String(name)), ...wrongOf(settings, settingAt)];
  const names = new Set(wrong.map(({ name }) => name));
  const mistakes = [
    ...misspellings(Object.keys(given), settingNames()),
    ...wrong.map(({ name, message }) => `${name}: ${message}`),
    ...(given['NODE_ENV'] === 'production' ? productionMistakes(given, names, describe) : halfEngines(given)),
    ...halfBucket(given),
    ...halfPush(given),
    ...halfGateways(given),
    ...twoMaps(given),
  ];
  if (!around.success || !settings.success || mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return { settings: settings.data, around: around.data };
}

function checkRedisUrl(text: string, check: z.RefinementCtx<string>): void {
  try {
    parseRedisUrl(text);
  } catch (error) {
    check.addIssue(error instanceof Error ? error.message : String(error));
  }
}

type Wrong = { readonly name: string; readonly message: string };

/** The variables with an invalid value, each with the reason. */
function wrongOf({ error }: z.ZodSafeParseResult<unknown>, nameAt: (path: readonly PropertyKey[]) => string): Wrong[] {
  return (error?.issues ?? []).map(({ path, message }) => ({ name: nameAt(path), message }));
}

function settingAt([group, key]: readonly PropertyKey[]): string {
  return nameOf(String(group), String(key));
}

function halfEngines({ MONGO_URL: mongoUrl, REDIS_URL: redisUrl }: Given): string[] {
  const isHalf = (mongoUrl === undefined) !== (redisUrl === undefined);
  return isHalf
    ? ['MONGO_URL, REDIS_URL: set both to use your own engines, or neither so that the server starts them']
    : [];
}

const OF_BUCKET = ['S3_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

function halfBucket(given: Given): string[] {
  const missing = OF_BUCKET.filter((name) => given[name] === undefined);
  const isWhole = missing.length === 0 || missing.length === OF_BUCKET.length;
  return isWhole ? [] : [`${missing.join(', ')}: must be set together with the other S3 variables, or none of them`];
}

/** The purpose of a variable, as in the settings reference. */
function describe(name: string): string {
  const variables = variableGroups().flatMap(({ variables: all }) => all);
  return variables.find((variable) => variable.name === name)?.field.description ?? '';
}

/** Drops empty and blank variables, which count as not set. A blank number would be 0. */
function present(env: Environment): Given {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1].trim() !== ''),
  );
}

function collect(given: Given): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.entries(Settings.shape).map(([group, schema]) => {
      const keys = Object.keys(schema.shape).filter((key) => given[nameOf(group, key)] !== undefined);
      return [group, Object.fromEntries(keys.map((key) => [key, given[nameOf(group, key)] ?? '']))];
    }),
  );
}

/** The environment variable of a setting: `offers.expressTtlMs` is `OFFERS_EXPRESS_TTL_MS`. */
export function nameOf(group: string, key: string): string {
  const name = `${group}_${key}`.replaceAll(/[A-Z]/gu, (letter) => `_${letter}`).toUpperCase();
  return SHORT_NAMES[name] ?? name;
}

type Variable = { readonly name: string; readonly field: z.ZodType };

/** Every variable under the title of its group. The variables of the environment come first, because they are needed first. */
function variableGroups(): { title: string; variables: Variable[] }[] {
  const around = Object.entries(Surroundings.shape).map(([name, field]) => ({ name, field }));
  const groups = Object.entries(Settings.shape).map(([group, schema]) => ({
    title: schema.description ?? group,
    variables: Object.entries(schema.shape).map(([key, field]) => ({ name: nameOf(group, key), field })),
  }));
  return [{ title: 'Environment and secrets', variables: around }, ...groups];
}

/** The names of all variables. */
export function settingNames(): string[] {
  return variableGroups().flatMap(({ variables }) => variables.map(({ name }) => name));
}

/** Every variable with its default, range and reason, in the groups of the settings reference. */
export function settingGroups(): { title: string; rows: SettingRow[] }[] {
  return variableGroups().map(({ title, variables }) => ({ title, rows: variables.map(rowOf) }));
}

type SettingRow = { readonly name: string; readonly value: string; readonly range: string; readonly reason: string };

function rowOf({ name, field }: Variable): SettingRow {
  const schema = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  const range =
    schema.minimum === undefined ? (schema.enum ?? []).join(', ') : `${schema.minimum} to ${schema.maximum}`;
  return {
    name,
    value: schema.default === undefined ? '' : JSON.stringify(schema.default).replaceAll('"', ''),
    range,
    reason: field.description ?? '',
  };
}
