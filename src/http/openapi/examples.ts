import { readFileSync } from 'node:fs';

/** A request and its answer, recorded from a test. `request` is absent if the request had no body. */
export type Example = { readonly status: number; readonly request?: unknown; readonly response?: unknown };

type Recorded = {
  readonly operations: Readonly<Record<string, Example>>;
  /** A problem of each status. */
  readonly problems: Readonly<Record<string, unknown>>;
};

/** Recorded by `npm run docs:examples`. */
const RECORDED = JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8')) as Recorded;

/** The recorded example of a route; undefined if none was recorded. */
export function exampleOf(route: string): Example | undefined {
  return RECORDED.operations[route];
}

/** A recorded problem with this status; undefined if none was recorded. */
export function problemExample(status: number): unknown {
  return RECORDED.problems[String(status)];
}
