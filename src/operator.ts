import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { runCommand, UsageError, WHERE_ENGINES_ARE } from './process/command-line.ts';
import { readConfig, type Config } from './config.ts';
import { openCore } from './core.ts';
import { dropDemo } from './demo.ts';
import { rebuildRollUps } from './dispatch/analytics/rebuild-roll-ups.ts';
import { STAFF_ROLES, type StaffRole } from './domain/access.ts';
import { newId } from './domain/ids.ts';
import { DEFAULT_ACCENT, vendorWith } from './domain/vendors/vendor.ts';
import { openMongo, type Mongo } from './engines/mongo.ts';
import { createLog } from './log.ts';
import { verifyAudit } from './models/audit/verify-audit.ts';
import { changesOf } from './domain/audit.ts';
import { listOtherSecrets } from './models/secrets/secret-hashes.ts';
import { describeSchema } from './models/migrations/describe-schema.ts';
import type { NewStaff } from './ports/access.ts';
import type { Log } from './ports/process.ts';
import type { EngineUrls } from './process/open-engines.ts';

const USAGE = `npm run operator -- COMMAND, with MONGO_URL and REDIS_URL set

In production set the same variables as for the server, including NODE_ENV and the secrets. The server refuses keys
and tokens that were made with other secrets.

  add-vendor --name NAME [--currency EUR] [--live]      creates a vendor and prints its API key
  add-staff --email EMAIL --roles ROLE,ROLE [--reset]   creates a staff account with the password in STAFF_PASSWORD.
                                                        --reset sets password and roles of an existing account and
                                                        ends all its sessions
  service-token --name NAME [--hours N]                 prints a token of an internal service (1 hour)
  remove-demo                                           removes the demo: its vendor with keys, webhooks and all
                                                        deliveries, its couriers, staff and sessions
  verify-audit [--head SEQUENCE:HASH]                   checks the audit log against its chain of hashes and prints the
                                                        newest link. It exits with 1 and names the first bad link, if
                                                        a row was changed or removed. --head names a link that was
                                                        printed earlier, which the chain must still have
  rebuild-analytics                                     counts all ended deliveries and ratings again, while servers
                                                        run; shows its progress
  schema                                                shows the schema version of the database and how far its
                                                        migrations are; changes nothing
  --help                                                prints this text

On success it prints JSON and exits with 0. If \`verify-audit\` finds a fault, it exits with 1. On failure it prints a sentence, changes nothing and exits with 2.
`;

type Environment = Readonly<Record<string, string | undefined>>;
type Core = Awaited<ReturnType<typeof openCore>>;
/** The work of a command whose arguments have been read. */
type Deed = (core: Core) => Promise<object>;
type Site = { readonly config: Config; readonly urls: EngineUrls; readonly log: Log };
type Command = (args: readonly string[], env: Environment) => (site: Site) => Promise<object>;

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['add-vendor', onCore(withSameSecrets(addVendor))],
  ['add-staff', onCore(withSameSecrets(addStaff))],
  ['service-token', onCore(withSameSecrets(issueToken))],
  ['remove-demo', onCore(removeDemo)],
  ['verify-audit', onMongo(verifyLog)],
  ['rebuild-analytics', onCore(rebuildAnalytics)],
  ['schema', onMongo(showSchema)],
]);
const LEAST_PASSWORD = 12;

/** Creates the accounts that an installation needs before its first request, and prints them as JSON. */
async function runOperator(env: Environment, [name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) throw new UsageError('The command is missing.');
  const command = COMMANDS.get(name);
  if (command === undefined) throw new UsageError(`There is no command ${name}.`);
  const run = command(args, env);
  const config = readConfig(env);
  const { MONGO_URL: mongoUrl, REDIS_URL: redisUrl } = config.around;
  if (mongoUrl === undefined || redisUrl === undefined) {
    throw new UsageError(`Set MONGO_URL and REDIS_URL. ${WHERE_ENGINES_ARE}`);
  }
  const site = { config, urls: { mongoUrl, redisUrl }, log: createLog(config.around.LOG_LEVEL) };
  const told = await run(site);
  process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
  return 'ok' in told && told.ok === false ? 1 : 0;
}

/** A command that needs the stores of the server. */
function onCore(command: (args: readonly string[], env: Environment) => Deed): Command {
  return (args, env) => {
    const run = command(args, env);
    return async ({ config, urls, log }) => {
      const core = await openCore(config, urls, log);
      try {
        const by = { type: 'operator', id: userInfo().username } as const;
        return await core.parts.audit.within({ actor: by, requestId: null, network: null }, () => run(core));
      } finally {
        await core.close();
      }
    };
  };
}

/** A command that only reads the database. It must not raise the schema version, as a server does when it starts. */
function onMongo(command: (args: readonly string[]) => (mongo: Mongo) => Promise<object>): Command {
  return (args) => {
    const run = command(args);
    return async ({ urls, log }) => {
      const mongo = await openMongo(urls.mongoUrl, log);
      try {
        return await run(mongo);
      } finally {
        await mongo.close();
      }
    };
  };
}

function showSchema(args: readonly string[]): (mongo: Mongo) => Promise<object> {
  parseArgs({ args: [...args], options: {} });
  return describeSchema;
}

function verifyLog(args: readonly string[]): (mongo: Mongo) => Promise<object> {
  const { values } = parseArgs({ args: [...args], options: { head: { type: 'string' } } });
  const known = /^(\d{1,15}):([0-9a-f]{64})$/.exec(values.head ?? '');
  if (values.head !== undefined && known === null)
    throw new UsageError('--head must be the number and the hash of a link, with a colon between them.');
  return (mongo) => verifyAudit(mongo, known === null ? null : { sequence: Number(known[1]), hash: known[2] ?? '' });
}

/** A command that stops if its secrets differ from those of the server, which would refuse the keys that it makes. */
function withSameSecrets(command: (args: readonly string[], env: Environment) => Deed): typeof command {
  return (args, env) => {
    const run = command(args, env);
    return async (core) => {
      await refuseOtherSecrets(core);
      return run(core);
    };
  };
}

async function refuseOtherSecrets({ mongo, secrets }: Core): Promise<void> {
  const others = await listOtherSecrets(mongo, secrets);
  if (others.length === 0) return;
  throw new Error(
    `${others.join(', ')}: must be the same as on the server, which refuses keys and tokens made with other secrets. ` +
      'The command was not run.',
  );
}

function addVendor(args: readonly string[]): Deed {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { name: text, currency: text, live: { type: 'boolean' } } });
  const name = given(values.name, '--name');
  return async ({ parts: core }) => {
    const { quotes, search } = core.settings;
    const vendor = vendorWith({
      id: newId('ven'),
      name,
      currency: values.currency ?? quotes.currency,
      accent: DEFAULT_ACCENT,
      searchLimitMs: search.limitMs,
      maxDistanceM: search.maxDistanceM,
      createdAt: core.clock.now(),
    });
    await core.vendors.add(vendor);
    await core.audit.record({
      action: 'vendor.add',
      objectId: vendor.id,
      vendorId: vendor.id,
      liveMode: null,
      changes: changesOf(null, { name: vendor.name, currency: vendor.currency }),
    });
    const { key } = await core.credentials.addVendorKey(vendor.id, values.live === true);
    return { vendor_id: vendor.id, api_key: key };
  };
}

function addStaff(args: readonly string[], env: Environment): Deed {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { email: text, roles: text, reset: { type: 'boolean' } } });
  const password = given(env['STAFF_PASSWORD'], 'STAFF_PASSWORD');
  if (password.length < LEAST_PASSWORD)
    throw new UsageError(`STAFF_PASSWORD must have at least ${LEAST_PASSWORD} characters.`);
  const roles = given(values.roles, '--roles').split(',');
  const unknown = roles.filter((role) => !(STAFF_ROLES as readonly string[]).includes(role));
  if (unknown.length > 0)
    throw new UsageError(`--roles must list roles from ${STAFF_ROLES.join(', ')}; unknown: ${unknown.join(', ')}.`);
  const email = given(values.email, '--email');
  const staff = { email, password, roles: roles as StaffRole[] };
  return values.reset === true ? resetStaff(staff) : addNewStaff(staff);
}

function addNewStaff(staff: NewStaff): Deed {
  const { email, roles } = staff;
  return async ({ parts: { credentials } }) => {
    const id = await credentials.addStaff(staff);
    if (id !== null) return { staff_id: id, email, roles };
    throw new Error(
      `${email} already has an account. Nothing was changed. Use --reset to set its password and roles and to end its sessions.`,
    );
  };
}

function resetStaff(staff: NewStaff): Deed {
  const { email, roles } = staff;
  return async ({ parts: { credentials } }) => {
    const reset = await credentials.resetStaff(staff);
    if (reset === null) throw new Error(`${email} has no account. Nothing was changed. Leave out --reset to add one.`);
    return { staff_id: reset.staffId, email, roles, ended_sessions: reset.endedSessions };
  };
}

function issueToken(args: readonly string[]): Deed {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { name: text, hours: text } });
  const name = given(values.name, '--name');
  const hours = Number(values.hours ?? 1);
  if (!(hours > 0 && hours <= 24)) throw new UsageError('--hours must be above 0 and at most 24.');
  return async ({ parts: { audit, credentials } }) => {
    const token = await credentials.issueInternal(name, Math.round(hours * 3600));
    const about = { action: 'service_token.issue', objectId: name, vendorId: null, liveMode: null } as const;
    await audit.record({ ...about, changes: changesOf(null, { hours }) });
    return { token };
  };
}

function removeDemo(args: readonly string[]): Deed {
  parseArgs({ args: [...args], options: {} });
  return async ({ mongo, parts }) => ({ removed: await dropDemo(parts, mongo) });
}

function rebuildAnalytics(args: readonly string[]): Deed {
  parseArgs({ args: [...args], options: {} });
  return async ({ parts }) => {
    const report = (deliveries: number): void => void process.stderr.write(`${deliveries} deliveries counted\n`);
    const { deliveries, deletedRows } = await rebuildRollUps(parts, report);
    const about = { action: 'analytics.rebuild', objectId: 'roll_ups', vendorId: null, liveMode: null } as const;
    await parts.audit.record({ ...about, changes: {} });
    return { deliveries, deleted_rows: deletedRows };
  };
}

function given(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing.`);
  return value;
}

const args = process.argv.slice(2);
// oxlint-disable-next-line node/no-process-env -- an entry point, like main.ts
await runCommand(USAGE, args, () => runOperator(process.env, args));
