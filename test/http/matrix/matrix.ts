import { newId } from '../../../src/domain/ids.ts';
import { exampleOf } from '../../../src/http/openapi/examples.ts';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import { PATH_IDS, type IdKind } from '../../../src/http/path-ids.ts';
import { POLICY } from '../../../src/http/policy.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import { call, openHouse, type Answer, type House } from '../house.ts';
import { absentId } from './absent-ids.ts';
import { MAKERS, type Thing } from './objects.ts';
import { callersOf, makePeople, verdictOf, type MatrixCaller } from './people.ts';

/** Kinds of ids that belong to nobody: a vendor's own name for an order, and parts of another object. */
const OWNERLESS: readonly IdKind[] = ['order', 'offer', 'stop', 'pricingRule'];
const RING = [
  [13, 52],
  [13.1, 52],
  [13, 52.1],
  [13, 52],
];
const TRIANGLE = { type: 'Polygon', coordinates: [RING] };
/** Valid bodies for routes without a recorded example. A route that needs no body has no row. */
const BODIES: Readonly<Record<string, unknown>> = {
  'PATCH /couriers/{id}/status': { status: 'offline' },
  'PUT /couriers/{id}/location': { fixes: [[1, 1, 1, 1, 1, 1, 1]] },
  'POST /deliveries/{id}/stops/{stop}/fail': {
    reason: 'customer_unavailable',
    contact_tries: [{ at: '2026-01-05T12:00:00Z', channel: 'call' }],
  },
  'POST /deliveries/{id}/release': { reason: 'x' },
  'PATCH /couriers/{id}': { city: 'Berlin' },
  'POST /wallets/adjustments': { vendor_id: newId('ven'), amount: 1, reason: 'x' },
  'POST /wallets/adjustments/{id}/decide': { decision: 'reject' },
  'POST /wallets/suspense/{id}/decide': { decision: 'return', reason: 'x' },
  'POST /wallets/suspense/{id}/approve': { decision: 'return', version: 1 },
  'POST /wallets/top-ups/{id}/refunds': { reference: 'ticket-1', reason: 'closed' },
  'POST /kyc/documents/{id}/decide': { decision: 'approve' },
  'POST /deliveries/{id}/rating': { rating: 5 },
  'POST /disputes/{id}/decide': { outcome: 'rejected', party_at_fault: 'vendor', note: 'no' },
  'POST /deliveries/{id}/refunds': { reference: 'ticket-1', reason: 'cold soup' },
  'POST /t/{token}/rating': { rating: 5 },
  'PATCH /staff/{id}': { roles: ['support'] },
  'POST /webhooks/{id}/replay': { since: new Date(Date.now() - 60_000).toISOString() },
  'PATCH /vendor/locations/{id}': { instructions: 'x' },
  'PATCH /vendor/locations/{id}/readiness': { ready: true },
  'POST /vendor/locations/{id}/zones': { name: 'x', geojson: TRIANGLE },
};
/** Valid fields for routes that take a form. */
const FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST /deliveries/{id}/stops/{stop}/proof': { pin: '1234' },
  'POST /couriers/{id}/documents': { type: 'id', expires_on: '2099-12-31' },
};
const partOf = ([name, value]: readonly [string, string]): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const AT_ONCE = 16;

const rows = ROUTES.filter((row): row is Endpoint => row.kind === 'endpoint');

export type Matrix = { readonly house: House; readonly callers: readonly MatrixCaller[]; readonly things: AllThings };
type AllThings = ReadonlyMap<IdKind, Readonly<Record<'own' | 'foreign' | 'otherMode', Thing>>>;

/** A server with every kind of caller, and an object of each kind. */
export async function openMatrix(name: string): Promise<Matrix> {
  const house = await openHouse(name, (settings) => ({
    ...settings,
    // Thousands of refused bodies come from here.
    http: { ...settings.http, refusedBytes: 1_073_741_824 },
  }));
  const people = await makePeople(house);
  const made = Object.entries(MAKERS).map(async ([kind, make]) => [kind as IdKind, await make(house, people)] as const);
  return { house, callers: callersOf(people), things: new Map(await Promise.all(made)) };
}

/** Every route with every caller, and with every kind of id if its path has one. */
export function listCells(matrix: Matrix): Cell[] {
  return rows.flatMap((row) => cellsOf(matrix, row));
}

/** The kinds of ids whose objects nobody makes. */
export function kindsWithoutMaker(): IdKind[] {
  const kinds = new Set(rows.map(({ id }) => id).filter((id) => id !== null));
  return [...kinds].filter((kind) => MAKERS[kind] === undefined && !OWNERLESS.includes(kind));
}

const SCENARIOS = ['own', 'foreign', 'otherMode', 'absent', 'malformed'] as const;
type Scenario = (typeof SCENARIOS)[number];

/** One request of the matrix. `thing` is null if no object has the id. */
export type Cell = {
  readonly row: Endpoint;
  readonly caller: MatrixCaller;
  readonly at: Scenario;
  readonly thing: Thing | null;
};

/** A route without an id has one cell for each caller. */
function cellsOf({ callers, things }: Matrix, row: Endpoint): Cell[] {
  const made = row.id === null ? undefined : things.get(row.id);
  const scenarios = row.id === null ? (['own'] as const) : SCENARIOS;
  return callers.flatMap((caller) =>
    scenarios
      .map((at) => ({ row, caller, at, thing: at === 'absent' || at === 'malformed' ? null : (made?.[at] ?? null) }))
      .filter(({ at, thing }) => row.id === null || thing !== null || at === 'absent' || at === 'malformed'),
  );
}

function pathOf({ row, at, thing }: Cell): string {
  const first = at === 'malformed' ? 'not~an~id' : (thing?.id ?? (row.id === null ? '' : absentId(row.id)));
  const values = [first, row.part === null ? '' : absentId(row.part)];
  return row.route.replaceAll(/\{\w+\}/g, () => values.shift() ?? '');
}

/** Says whether the caller should get past the policy to an existing object. */
const isReached = ({ row, caller, thing }: Cell): boolean =>
  row.id === null ||
  (thing !== null && ((POLICY[row.route] as { anyone?: true }).anyone === true || caller.reaches(thing)));

/** A request that reaches its object has a body that no route accepts, so that it changes nothing. */
async function ask(matrix: Matrix, cell: Cell): Promise<Answer> {
  const { house } = matrix;
  const { route } = cell.row;
  const token = cell.caller.token;
  if (route.startsWith('GET ')) return call(house, pathOf(cell), { token });
  if (cell.row.upload !== null) {
    const fields = isReached(cell) ? { no_such_field: '1' } : (FORMS[route] ?? {});
    const raw = `${Object.entries(fields).map(partOf).join('')}--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await call(house, pathOf(cell), { token, raw, headers });
    // An account sends only a few forms at the same time.
    return answer.body['reason'] === 'uploads' ? ask(matrix, cell) : answer;
  }
  const body = isReached(cell) ? { no_such_field: 1 } : (BODIES[route] ?? exampleOf(route)?.request ?? {});
  return call(house, pathOf(cell), { token, body });
}

/** The answer without what differs between two equal requests. */
function shownOf({ status, text, headers }: Answer): string {
  const names = [...headers.keys()].toSorted((a, b) => (a < b ? -1 : 1)).join(' ');
  const same = text.replace(/"instance":"[^"]*"/, '').replace(/"request_id":"[^"]*"/, '');
  return `${status} ${names} ${same}`;
}

/** Why the answer to this cell is wrong; null if it is right. */
function wrongIn(cell: Cell, answer: Answer, absent: Answer | undefined): string | null {
  const { row, caller, at } = cell;
  const { status, body } = answer;
  const verdict = verdictOf(POLICY[row.route], caller);
  const tell = (wanted: string): string =>
    `${row.route}: ${caller.name}, ${at}: ${wanted} wanted, given ${status} ${String(body['code'])}`;
  if (status >= 500) return tell('no fault');
  if (verdict !== 'let in') return status === verdict ? null : tell(String(verdict));
  if (status === 401 || status === 403) return tell('let in');
  if (row.id === null || OWNERLESS.includes(row.id)) return null;
  const isAbsent = status === 404 && body['code'] === PATH_IDS[row.id].absent;
  if (isReached(cell)) return isAbsent ? tell('the object') : null;
  if (!isAbsent) return tell(`404 ${PATH_IDS[row.id].absent}`);
  const isSame = absent === undefined || shownOf(answer) === shownOf(absent);
  return isSame ? null : tell('the same answer as for an absent id');
}

/** Runs the work on every item, some at a time. */
async function spread<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Sends the request of each cell. Returns a sentence about each wrong answer. */
export async function wrongCells(matrix: Matrix, cells: readonly Cell[]): Promise<string[]> {
  const wrong: string[] = [];
  const absent = new Map<string, Promise<Answer>>();
  const askAbsent = (cell: Cell): Promise<Answer> => {
    const name = `${cell.row.route} ${cell.caller.name}`;
    const asked = absent.get(name) ?? ask(matrix, { ...cell, at: 'absent', thing: null });
    absent.set(name, asked);
    return asked;
  };
  await spread(cells, async (cell) => {
    const answer = await ask(matrix, cell);
    const isCompared = cell.row.id !== null && answer.status === 404 && !isReached(cell);
    const why = wrongIn(cell, answer, isCompared ? await askAbsent(cell) : undefined);
    if (why !== null) wrong.push(why);
  });
  return wrong;
}
