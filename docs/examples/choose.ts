import type { Example } from '../../src/http/openapi/examples.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { isProblemStatus } from '../../src/http/openapi/problem-statuses.ts';
import { ROUTES } from '../../src/http/routes.ts';
import type { RecordedCall } from '../../test/http/record-example.ts';
import { makeUp } from './made-up.ts';
import { checksOf, type Checks } from './schemas.ts';

/** An example longer than this many characters is taken only if no other one was recorded. */
const MOST_CHARACTERS = 5000;

type Candidate = { readonly request?: unknown; readonly response?: unknown; readonly points: number };

const ENDPOINTS = ROUTES.filter((row): row is Endpoint => row.kind === 'endpoint')
  .map((row) => ({ row, path: patternOf(row.route) }))
  // A path without names in it comes before one whose name would match the same text.
  .toSorted((a, b) => a.row.route.split('{').length - b.row.route.split('{').length);

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** The endpoint that answered this call; undefined if none did. */
function endpointOf({ method, path }: RecordedCall): Endpoint | undefined {
  const asked = `${method} ${path.split('?')[0] ?? ''}`;
  return ENDPOINTS.find((each) => each.path.test(asked))?.row;
}

/** One example for each route, from the calls of tests. A route without a call of each success has no example. */
export function chooseExamples(calls: readonly RecordedCall[]): Record<string, Example> {
  const byRoute = Map.groupBy(calls, (call) => endpointOf(call));
  const chosen = ENDPOINTS.flatMap(({ row }) => {
    const example = exampleFrom(row, byRoute.get(row) ?? []);
    return example === null ? [] : [[row.route, example] as const];
  });
  return Object.fromEntries(chosen.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function exampleFrom(row: Endpoint, calls: readonly RecordedCall[]): Example | null {
  const statuses = [row.status, ...Object.keys(row.also).map(Number)];
  const checks = checksOf(row);
  const sound = calls.map((call) => asDocumented(row, call)).filter((call) => isSound(checks, call));
  const found = statuses.map((status) => [status, best(sound.filter((call) => call.status === status))] as const);
  const main = found[0]?.[1];
  if (main === undefined) return null;
  const answers = found.flatMap(([status, one]) => (one === undefined ? [] : [[status, one.response] as const]));
  const least = smallest(sound.filter(({ status }) => status === row.status));
  const hasBody = row.body !== null || row.upload !== null;
  return {
    ...(hasBody ? { request: main.request ?? {}, smallest: least } : {}),
    ...(row.reply === null ? {} : { answers: Object.fromEntries(answers) }),
  };
}

/** The call with each field of a form as the document shows it: several files of a field are an array. */
function asDocumented({ upload }: Endpoint, call: RecordedCall): RecordedCall {
  if (upload === null || typeof call.request !== 'object' || call.request === null) return call;
  const fields = Object.entries(call.request).map(([name, value]) => [
    name,
    (upload[name] ?? 1) > 1 ? [value].flat() : (value as unknown),
  ]);
  return { ...call, request: Object.fromEntries(fields) as object };
}

/** Whether the schemas of the document accept the request and the answer. */
function isSound({ asks, answers }: Checks, { request = {}, response }: RecordedCall): boolean {
  return asks(request) && answers(response);
}

/** The candidate that shows most fields, and among equals the shortest. */
function best(calls: readonly RecordedCall[]): Candidate | undefined {
  const candidates = calls.map(({ request, response, at }) => {
    const made = makeUp({ request, response }, at);
    const text = JSON.stringify(made);
    const points = text.length > MOST_CHARACTERS ? -text.length : fieldsIn(made).size;
    return { ...made, points, text };
  });
  return candidates.toSorted(
    (a, b) => b.points - a.points || a.text.length - b.text.length || (a.text < b.text ? -1 : 1),
  )[0];
}

/** The body with the fewest fields, and among equals the one whose answer has the fewest. */
function smallest(calls: readonly RecordedCall[]): unknown {
  const candidates = calls.map(({ request = {}, response, at }) => {
    const made = makeUp({ request, response }, at);
    return {
      ...made,
      asked: fieldsIn(made.request).size,
      told: fieldsIn(made.response).size,
      text: JSON.stringify(made),
    };
  });
  const first = candidates.toSorted(
    (a, b) => a.asked - b.asked || a.told - b.told || a.text.length - b.text.length || (a.text < b.text ? -1 : 1),
  )[0];
  return first?.request;
}

/** The paths of the fields that have a value. The items of a list share their paths. */
function fieldsIn(value: unknown, at = ''): Set<string> {
  if (value === null || value === undefined) return new Set();
  if (typeof value !== 'object') return new Set([at]);
  const parts = Object.entries(value).map(([key, each]) => fieldsIn(each, Array.isArray(value) ? at : `${at}/${key}`));
  return new Set(parts.flatMap((part) => [...part]));
}

/** A problem of each status that operations list: the one with the most fields. */
export function chooseProblems(calls: readonly RecordedCall[]): Record<string, unknown> {
  const refused = calls.filter(({ status, response }) => isProblemStatus(status) && isProblem(response));
  const byStatus = Map.groupBy(refused, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, best(some)?.response]));
}

function isProblem(response: unknown): boolean {
  return typeof response === 'object' && response !== null && 'code' in response;
}

/** An event of each type that was listed: the one with the most fields. */
export function chooseEvents(calls: readonly RecordedCall[]): Record<string, unknown> {
  const events = calls.flatMap(({ response, ...call }) =>
    eventsIn(response).map((event) => ({ ...call, request: {}, response: event })),
  );
  const byType = Map.groupBy(events, ({ response }) => response.type);
  const chosen = [...byType].map(([type, some]) => [type, best(some)?.response] as const);
  return Object.fromEntries(chosen.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Listed = { readonly object: 'event'; readonly type: string };

function eventsIn(response: unknown): Listed[] {
  const { data } = (response ?? {}) as { data?: unknown };
  return [response, ...(Array.isArray(data) ? (data as unknown[]) : [])].filter(isEvent);
}

function isEvent(value: unknown): value is Listed {
  return (
    typeof value === 'object' && value !== null && 'object' in value && value.object === 'event' && 'vendor_id' in value
  );
}
