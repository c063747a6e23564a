import { parseArgs } from 'node:util';
import { readConfig } from './config.ts';
import { openCore } from './core.ts';
import { STAFF_ROLES, type StaffRole } from './domain/access.ts';
import { newId } from './domain/ids.ts';
import { createLog } from './log.ts';
import type { Context } from './ports.ts';

const USAGE = `npm run operator -- COMMAND, with MONGO_URL and REDIS_URL (and in production the secrets) set

  add-vendor --name NAME [--currency EUR] [--live]     makes a vendor and prints its API key
  add-staff --email EMAIL --roles ROLE,ROLE             makes staff; the password is read from STAFF_PASSWORD
  service-token --name NAME [--hours N]                 prints a token of an internal service (1 hour)
`;

type Environment = Readonly<Record<string, string | undefined>>;
type Core = Omit<Context, 'notices'>;
type Command = (core: Core, args: readonly string[], env: Environment) => Promise<object>;

const COMMANDS: Record<string, Command> = {
  'add-vendor': addVendor,
  'add-staff': addStaff,
  'service-token': issueToken,
};
const LEAST_PASSWORD = 12;

/** A command line that makes no sense; the message says what is missing. */
class UsageError extends Error {}

/** What an operator must do before a first request can come: makes vendors, staff and service tokens. Prints JSON. */
async function runOperator(env: Environment, [name = '', ...args]: readonly string[]): Promise<void> {
  const command = COMMANDS[name];
  if (command === undefined) throw new UsageError(USAGE);
  const config = readConfig(env);
  const { MONGO_URL: mongoUrl, REDIS_URL: redisUrl } = config.around;
  if (mongoUrl === undefined || redisUrl === undefined)
    throw new UsageError(`Set MONGO_URL and REDIS_URL.\n\n${USAGE}`);
  const core = await openCore(config, { mongoUrl, redisUrl }, createLog(config.around.LOG_LEVEL));
  try {
    process.stdout.write(`${JSON.stringify(await command(core.parts, args, env), null, 2)}\n`);
  } finally {
    await core.close();
  }
}

async function addVendor(core: Core, args: readonly string[]): Promise<object> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { name: text, currency: text, live: { type: 'boolean' } } });
  const { quotes, search } = core.settings;
  const vendor = {
    id: newId('ven'),
    name: given(values.name, '--name'),
    currency: values.currency ?? quotes.currency,
    accent: '#0b6e4f',
    searchLimitMs: search.limitMs,
    maxDistanceM: search.maxDistanceM,
    createdAt: core.clock.now(),
  };
  await core.vendors.add(vendor);
  const { key } = await core.credentials.addVendorKey(vendor.id, values.live === true);
  return { vendor_id: vendor.id, api_key: key };
}

async function addStaff(core: Core, args: readonly string[], env: Environment): Promise<object> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { email: text, roles: text } });
  const password = given(env['STAFF_PASSWORD'], 'STAFF_PASSWORD');
  if (password.length < LEAST_PASSWORD)
    throw new UsageError(`STAFF_PASSWORD needs at least ${LEAST_PASSWORD} characters.`);
  const roles = given(values.roles, '--roles').split(',');
  const unknown = roles.filter((role) => !(STAFF_ROLES as readonly string[]).includes(role));
  if (unknown.length > 0)
    throw new UsageError(`No such role: ${unknown.join(', ')}. Roles: ${STAFF_ROLES.join(', ')}.`);
  const email = given(values.email, '--email');
  return { staff_id: await core.credentials.addStaff({ email, password, roles: roles as StaffRole[] }), email, roles };
}

async function issueToken(core: Core, args: readonly string[]): Promise<object> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { name: text, hours: text } });
  const hours = Number(values.hours ?? 1);
  if (!(hours > 0 && hours <= 24)) throw new UsageError('--hours is from 1 to 24.');
  return { token: await core.credentials.issueInternal(given(values.name, '--name'), Math.round(hours * 3600)) };
}

function given(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing.\n\n${USAGE}`);
  return value;
}

try {
  // oxlint-disable-next-line node/no-process-env -- the second door of the process, beside main.ts
  await runOperator(process.env, process.argv.slice(2));
} catch (error) {
  // Whoever typed the command needs the sentence, not the stack.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
process.exit(0);
