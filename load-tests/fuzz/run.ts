// Runs Schemathesis against a server, as each kind of caller, with the document that the server serves.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createApi } from '../clients/api.ts';
import { openStage } from '../servers/stage.ts';
import { bindingsOf, operationsOf, type OpenApi, type Operation } from './dictionaries.ts';
import { installSchemathesis } from './install.ts';
import { bringPeople, credentialOf, SCHEME_OF, type People, type Role } from './people.ts';
import { addLine, judge, noFindings, type Findings, type FuzzReport, type RoleReport } from './report.ts';
import { makeWorld } from './world.ts';

export type FuzzOptions = {
  readonly roles: readonly Role[];
  /** Most random cases of each operation. */
  readonly examples: number;
  readonly seed: number;
  /** Fewer cases of a role make the run fail. */
  readonly leastCases: number;
  readonly only: readonly string[];
  readonly json: string | null;
};

/**
 * Operations that end the credential of the caller, or stop the vendor's creates. Each has a run of its own at the end,
 * with a credential of its own.
 */
const ENDERS = [
  'logOut',
  'endSession',
  'endSessions',
  'endCourierSessions',
  'endStaffSessions',
  'changeStaffRoles',
  'resetStaffPassword',
  'removeStaff',
  'suspendCourier',
  'revokeApiKey',
  'rotateApiKey',
  'setVendorHours',
  'setLocationReadiness',
  'updateVendor',
];
/** The limits that `no-limits.ts` does not raise. */
const SETTINGS = {
  AUTH_ACCESS_TTL_S: '86400',
  AUTH_MOST_KEYS: '1000',
  // Refused bodies would wait. That rule has tests of its own.
  HTTP_REFUSED_BYTES: '1073741824',
  HTTP_REFUSED_BYTES_PER_S: '1073741824',
  AUTH_MOST_SESSIONS: '1000',
  DISPATCH_COURIER_CAPACITY: '10',
  // The payout of the run waits for its approval, which is an operation too.
  PAYOUTS_APPROVAL_AMOUNT: '0',
};

type Run = {
  readonly program: string;
  readonly dir: string;
  readonly baseUrl: string;
  readonly options: FuzzOptions;
  readonly found: Findings;
  readonly say: (line: string) => void;
};

/** Runs every role in turn on a server of its own. @throws if Schemathesis cannot be installed or a server cannot start */
export async function runFuzz(options: FuzzOptions, say: (line: string) => void): Promise<FuzzReport> {
  const program = await installSchemathesis(say);
  const roles: RoleReport[] = [];
  for (const role of options.roles) {
    const stage = await openStage({ baseUrl: null, demo: '', servers: 1, speed: 1, set: SETTINGS }, {}, () => {});
    const dir = await mkdtemp(join(tmpdir(), 'fuzz-'));
    try {
      const baseUrl = stage.addresses[0] ?? '';
      const people = await bringPeople(createApi(stage.addresses), stage.facts);
      const run = { program, dir, baseUrl, options, found: noFindings(), say };
      roles.push(await runRole(run, role, people));
    } finally {
      await stage.close(false);
      await rm(dir, { recursive: true, force: true });
    }
  }
  return judge(roles, options.leastCases);
}

async function runRole(run: Run, role: Role, people: People): Promise<RoleReport> {
  const startedAt = performance.now();
  const { dir, baseUrl, found, options, say } = run;
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi;
  const world = await makeWorld(people, role);
  const settings = await readFile(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
  await writeFile(join(dir, 'schemathesis.toml'), `${settings}\n${bindingsOf(document, world, people.facts.center)}`);
  const allowed = operationsOf(document).filter(({ operation }) => isAllowed(operation, role));
  const ids = allowed.map(({ operation }) => operation.operationId);
  const enders = role === 'nobody' ? [] : ENDERS.filter((name) => ids.includes(name));
  const isWanted = (name: string): boolean => options.only.length === 0 || options.only.includes(name);
  const filters = options.only.flatMap((name) => (enders.includes(name) ? [] : ['--include-operation-id', name]));
  const left = enders.flatMap((name) => ['--exclude-operation-id', name]);
  if (options.only.length === 0) await pass(run, role, await credentialOf(role, people), left);
  else if (filters.length > 0) await pass(run, role, await credentialOf(role, people), filters);
  for (const name of enders.filter(isWanted)) {
    await pass(run, role, await credentialOf(role, people), ['--include-operation-id', name]);
  }
  say(`${role}: ${found.cases} cases, ${found.failures.size} failures, ${found.serverErrors} answers with status 500`);
  const labels = allowed.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  return { ...found, role, allowed: new Set(labels), seconds: (performance.now() - startedAt) / 1000 };
}

/** Whether the document allows this role, or anybody, to call the operation. */
function isAllowed({ security = [] }: Operation, role: Role): boolean {
  const scheme = SCHEME_OF[role];
  const isOpen = security.length === 0 || security.some((way) => Object.keys(way).length === 0);
  return isOpen || (scheme !== null && security.some((way) => scheme in way));
}

/** One run of Schemathesis. Its events are added to what was found. @throws Error if it did not start */
async function pass(run: Run, role: Role, token: string | null, filters: readonly string[]): Promise<void> {
  const { program, dir, baseUrl, options, found, say } = run;
  const events = join(dir, 'events.ndjson');
  const given = [
    '--config-file',
    join(dir, 'schemathesis.toml'),
    'run',
    `${baseUrl}/openapi.json`,
    '--checks=all',
    `--max-examples=${options.examples}`,
    `--seed=${options.seed}`,
    '--continue-on-failure',
    '--no-color',
    '--generation-database=none',
    '--request-timeout=20',
    '--report=ndjson',
    `--report-ndjson-path=${events}`,
    ...(token === null ? [] : ['--header', `Authorization: Bearer ${token}`]),
    ...filters,
  ];
  const child = execFile(program, given, { cwd: dir, maxBuffer: 2 ** 28 });
  let output = '';
  child.stdout?.on('data', (text: string) => (output += text));
  child.stderr?.on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'exit')) as [number | null];
  await writeFile(join(dir, 'output.txt'), output);
  // 0 is a run without failures, and 1 one with failures.
  if (code !== 0 && code !== 1) throw new Error(`schemathesis ended with ${code}: ${output.slice(-2000)}`);
  for await (const line of createInterface({ input: createReadStream(events) })) addLine(found, line);
  say(`${role}: ${filters.at(-1) ?? 'all'}: ${found.cases} cases and ${found.failures.size} failures so far`);
}
