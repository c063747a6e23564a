// The findings of a run: the cases, the failures and the statuses of each role.
import type { Role } from './people.ts';

/** The findings of one or several runs of Schemathesis. */
export type Findings = {
  cases: number;
  serverErrors: number;
  /** Each failure once, as operation and title, with the first request that showed it. */
  readonly failures: Map<string, string>;
  /** Answers by status. */
  readonly statuses: Map<number, number>;
  /** Operations that were called, and those of them that succeeded at least once. */
  readonly tried: Set<string>;
  readonly succeeded: Set<string>;
  /** Runs that did not finish, in the words of Schemathesis. */
  readonly broken: string[];
};

export type RoleReport = Findings & {
  readonly role: Role;
  /** Operations that the document allows this role. */
  readonly allowed: ReadonlySet<string>;
  readonly seconds: number;
};

type RoleFigures = Readonly<Record<'cases' | 'serverErrors' | 'allowed' | 'seconds', number>> & {
  readonly role: Role;
  readonly succeeded: number;
  readonly success: number;
  readonly neverSucceeded: readonly string[];
  readonly failures: readonly string[];
};

export type FuzzReport = {
  readonly roles: readonly RoleFigures[];
  readonly problems: readonly string[];
};

/** Most characters of each part of a failure that the report shows. */
const MOST_SHOWN = 1000;

export function noFindings(): Findings {
  return {
    cases: 0,
    serverErrors: 0,
    failures: new Map(),
    statuses: new Map(),
    tried: new Set(),
    succeeded: new Set(),
    broken: [],
  };
}

type Bytes = { readonly $base64: string };
type Sent = { readonly uri: string; readonly headers: object; readonly body?: Bytes };

type Check = {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly title: string; readonly message?: string } };
};
type Recorder = {
  readonly label: string;
  readonly cases?: Readonly<Record<string, { readonly value: { readonly method: string; readonly path: string } }>>;
  readonly checks?: Readonly<Record<string, readonly Check[]>>;
  readonly interactions?: Readonly<
    Record<
      string,
      { readonly request: Sent; readonly response?: { readonly status_code: number; readonly content?: Bytes } }
    >
  >;
};
type Line = {
  readonly ScenarioFinished?: { readonly recorder: Recorder };
  readonly NonFatalError?: object;
  readonly FatalError?: object;
};

/** Adds one line of the events that Schemathesis writes. */
export function addLine(found: Findings, text: string): void {
  const line = JSON.parse(text) as Line;
  const fault = line.FatalError ?? line.NonFatalError;
  if (fault !== undefined) found.broken.push(JSON.stringify(fault).slice(0, 500));
  if (line.ScenarioFinished === undefined) return;
  const { cases = {}, checks = {}, interactions = {} } = line.ScenarioFinished.recorder;
  for (const [id, { value }] of Object.entries(cases)) {
    const operation = `${value.method.toUpperCase()} ${value.path}`;
    const { request, response } = interactions[id] ?? {};
    if (response === undefined) continue;
    const status = response.status_code;
    found.cases += 1;
    found.statuses.set(status, (found.statuses.get(status) ?? 0) + 1);
    found.tried.add(operation);
    if (status < 400) found.succeeded.add(operation);
    if (status === 500) found.serverErrors += 1;
    for (const { failure_info: info } of checks[id] ?? []) {
      if (info === undefined) continue;
      const name = `${operation}: ${info.failure.title}`;
      if (found.failures.has(name) || request === undefined) continue;
      const lines = [name, info.failure.message ?? '', request.uri, JSON.stringify(request.headers)];
      const bodies = [textOf(request.body), `${status} ${textOf(response.content)}`];
      found.failures.set(name, [...lines, ...bodies].map((one) => one.slice(0, MOST_SHOWN)).join('\n'));
    }
  }
}

function textOf(bytes: Bytes | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes.$base64, 'base64').toString();
}

/** Puts the report together and names everything that makes the run fail. */
export function judge(roles: readonly RoleReport[], leastCases: number): FuzzReport {
  const problems = roles.flatMap((found) => [
    ...[...found.failures.keys()].map((failure) => `${found.role}: ${failure}`),
    ...found.broken.map((fault) => `${found.role}: ${fault}`),
    ...(found.serverErrors > 0 ? [`${found.role}: ${found.serverErrors} answers with status 500`] : []),
    ...(found.cases < leastCases ? [`${found.role}: ${found.cases} cases, at least ${leastCases} are needed`] : []),
  ]);
  return { roles: roles.map(figuresOf), problems };
}

function figuresOf({ statuses, ...found }: RoleReport): RoleFigures {
  const reached = [...found.allowed].filter((operation) => found.succeeded.has(operation));
  const successes = [...statuses].filter(([status]) => status < 400).reduce((sum, [, count]) => sum + count, 0);
  return {
    role: found.role,
    cases: found.cases,
    serverErrors: found.serverErrors,
    seconds: found.seconds,
    allowed: found.allowed.size,
    succeeded: reached.length,
    success: found.cases === 0 ? 0 : successes / found.cases,
    neverSucceeded: [...found.allowed].filter((operation) => !found.succeeded.has(operation)),
    failures: [...found.failures.values()],
  };
}

/** The report as lines of a table for readers. */
export function tableOf({ roles }: FuzzReport): string[] {
  return [
    ...roles.flatMap(({ failures }) => failures),
    ...roles.map(({ role, neverSucceeded }) => `${role}: no success of ${neverSucceeded.join(', ') || 'none'}`),
    'role        cases  failures  500s  operations  with success  success  seconds',
    ...roles.map((one) =>
      [
        one.role.padEnd(8),
        String(one.cases).padStart(8),
        String(one.failures.length).padStart(9),
        String(one.serverErrors).padStart(5),
        String(one.allowed).padStart(11),
        String(one.succeeded).padStart(13),
        `${(one.success * 100).toFixed(1)} %`.padStart(8),
        one.seconds.toFixed(0).padStart(8),
      ].join(' '),
    ),
  ];
}

export function lastLine({ problems, roles }: FuzzReport): string {
  const cases = roles.reduce((sum, role) => sum + role.cases, 0);
  if (problems.length === 0)
    return `ok ${cases} cases of ${roles.length} kinds of callers, no failure and no status 500`;
  return `failed: ${problems.length} problems in ${cases} cases: ${problems.slice(0, 5).join('; ')}`;
}
