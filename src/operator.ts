import { runCommand, UsageError, WHERE_ENGINES_ARE } from './process/command-line.ts';
import { readConfig } from './config.ts';
import { dropDemo } from './demo.ts';
import { rebuildRollUps } from './dispatch/analytics/rebuild-roll-ups.ts';
import { changesOf } from './domain/audit.ts';
import type { Mongo } from './engines/mongo.ts';
import { createLog } from './log.ts';
import { verifyAudit } from './models/audit/verify-audit.ts';
import { describeSchema } from './models/migrations/describe-schema.ts';
import {
  given,
  onCore,
  onMongo,
  readOptions,
  withSameSecrets,
  type Command,
  type Deed,
  type Environment,
} from './process/operator/command.ts';
import { adjustEarnings, adjustWallet, checkLedger, freezeWallet, unfreezeWallet } from './process/operator/money.ts';
import { addStaff, listStaff, removeStaff, resetStaff, setStaffRoles } from './process/operator/staff.ts';
import {
  addLocation,
  addVendor,
  addZone,
  changeLocation,
  listLocations,
  removeZone,
  setReadiness,
} from './process/operator/vendors.ts';

const USAGE = `npm run operator -- COMMAND, with MONGO_URL and REDIS_URL set

In production set the same variables as for the server, including NODE_ENV and the secrets. The server refuses keys
and tokens that were made with other secrets.

  add-vendor --name NAME [--currency EUR] [--live]      creates a vendor and prints its API key
  add-location --vendor ID --name NAME --lat N --lng N  adds a location to a vendor. It is ready and always open.
    --address TEXT --contact-name NAME                  N in degrees, the phone as +49… and the longest way in
    --contact-phone PHONE [--contact-email EMAIL]       metres
    [--kind storefront|warehouse]
    [--instructions TEXT] [--max-distance-m N]
  list-locations --vendor ID                            lists the locations of a vendor
  change-location --location ID [--name NAME …]         changes the fields that are given, with the options of
                                                        add-location. --lat needs --lng, and --contact-name needs
                                                        --contact-phone. An empty text removes instructions and
                                                        the longest way
  set-readiness --location ID --ready yes|no            says whether a location takes pickups now. With --until it
    [--until TIME]                                      becomes ready by itself at that time
  add-zone --location ID --name NAME --geojson FILE     adds a zone of drop-offs. The file contains a Polygon or a
                                                        MultiPolygon of GeoJSON
  remove-zone --location ID --zone ID                   removes a zone of a location
  add-staff --email EMAIL --roles ROLE,ROLE [--reset]   creates a staff account with the password in STAFF_PASSWORD.
                                                        --reset sets password and roles of an existing account and
                                                        ends all its sessions
  list-staff                                            lists the staff accounts
  set-staff-roles --email EMAIL --roles ROLE,ROLE       replaces the roles of a staff account and ends its sessions
  reset-staff --email EMAIL                             sets the password to STAFF_PASSWORD and ends the sessions of
                                                        the account
  remove-staff --email EMAIL                            removes a staff account and ends its sessions. The last admin
                                                        cannot be removed
  service-token --name NAME [--hours N]                 prints a token of an internal service (1 hour)
  remove-demo                                           removes the demo: its vendor with keys, webhooks and all
                                                        deliveries, its couriers, staff and sessions
  verify-audit [--head SEQUENCE:HASH]                   checks the audit log against its chain of hashes and prints the
                                                        newest link. It exits with 1 and names the first bad link, if
                                                        a row was changed or removed. --head names a link that was
                                                        printed earlier, which the chain must still have
  adjust-wallet --vendor ID --amount AMOUNT             books an amount into the wallet of a vendor, for example 12.50
    --reason TEXT --reference TEXT [--live]             in its currency. --amount=-12.50 takes it out. The same
                                                        reference is booked once, however often it is sent
  adjust-earnings --courier ID --currency CODE          books an amount into the earnings of a courier, which the next
    --amount AMOUNT --reason TEXT --reference TEXT      batch pays. --amount=-12.50 takes it out of what was not paid
                                                        yet. The courier reads the reason
  freeze-wallet --vendor ID --reason TEXT [--live]      makes the wallet of a vendor refuse new deliveries. Open ones go
                                                        on and are charged
  unfreeze-wallet --vendor ID --reason TEXT [--live]    lets the wallet accept new deliveries again
  verify-ledger                                         checks that all money adds up: each entry, each balance, each
                                                        book and the chain of hashes. It exits with 1 if not
  rebuild-analytics                                     counts all ended deliveries and ratings again, while servers
                                                        run; shows its progress
  schema                                                shows the schema version of the database and how far its
                                                        migrations are; changes nothing
  --help                                                prints this text

On success it prints JSON and exits with 0. If \`verify-audit\` or \`verify-ledger\` finds a fault, it exits with 1. On failure it prints a sentence, changes nothing and exits with 2.
`;

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['add-vendor', onCore(withSameSecrets(addVendor))],
  ['add-location', onCore(addLocation)],
  ['list-locations', onCore(listLocations)],
  ['change-location', onCore(changeLocation)],
  ['set-readiness', onCore(setReadiness)],
  ['add-zone', onCore(addZone)],
  ['remove-zone', onCore(removeZone)],
  ['add-staff', onCore(withSameSecrets(addStaff))],
  ['list-staff', onCore(listStaff)],
  ['set-staff-roles', onCore(withSameSecrets(setStaffRoles))],
  ['reset-staff', onCore(withSameSecrets(resetStaff))],
  ['remove-staff', onCore(withSameSecrets(removeStaff))],
  ['service-token', onCore(withSameSecrets(issueToken))],
  ['remove-demo', onCore(removeDemo)],
  ['verify-audit', onMongo(verifyLog)],
  ['adjust-wallet', onCore(adjustWallet)],
  ['adjust-earnings', onCore(adjustEarnings)],
  ['freeze-wallet', onCore(freezeWallet)],
  ['unfreeze-wallet', onCore(unfreezeWallet)],
  ['verify-ledger', onMongo(checkLedger)],
  ['rebuild-analytics', onCore(rebuildAnalytics)],
  ['schema', onMongo(showSchema)],
]);

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

function showSchema(args: readonly string[]): (mongo: Mongo) => Promise<object> {
  readOptions(args, []);
  return describeSchema;
}

function verifyLog(args: readonly string[]): (mongo: Mongo) => Promise<object> {
  const values = readOptions(args, ['head']);
  const known = /^(\d{1,15}):([0-9a-f]{64})$/.exec(values.head ?? '');
  if (values.head !== undefined && known === null)
    throw new UsageError('--head must be the number and the hash of a link, with a colon between them.');
  return (mongo) => verifyAudit(mongo, known === null ? null : { sequence: Number(known[1]), hash: known[2] ?? '' });
}

function issueToken(args: readonly string[]): Deed {
  const values = readOptions(args, ['name', 'hours']);
  const name = given(values.name, '--name');
  const hours = Number(values.hours ?? 1);
  if (!(hours > 0 && hours <= 24)) throw new UsageError('--hours must be above 0 and at most 24.');
  return async ({ parts: { audit, credentials } }) => {
    const token = await credentials.issueInternal(name, Math.round(hours * 3600));
    // Nothing stores the token, so its entry is stored before anybody has it.
    const about = { action: 'service_token.issue', objectId: name, vendorId: null, liveMode: null } as const;
    await audit.record({ ...about, changes: changesOf(null, { hours }) });
    return { token };
  };
}

function removeDemo(args: readonly string[]): Deed {
  readOptions(args, []);
  return async ({ mongo, parts }) => ({ removed: await dropDemo(parts, mongo) });
}

function rebuildAnalytics(args: readonly string[]): Deed {
  readOptions(args, []);
  return async ({ parts }) => {
    const report = (deliveries: number): void => void process.stderr.write(`${deliveries} deliveries counted\n`);
    const { deliveries, deletedRows } = await rebuildRollUps(parts, report);
    return { deliveries, deleted_rows: deletedRows };
  };
}

const args = process.argv.slice(2);
// oxlint-disable-next-line node/no-process-env -- an entry point, like main.ts
await runCommand(USAGE, args, () => runOperator(process.env, args));
