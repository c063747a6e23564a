import { readFileSync } from 'node:fs';
import type { EventType } from '../../domain/deliveries/events.ts';

/** A request of a test and the answers to it. */
export type Example = {
  /** The body with the most fields; absent if the operation has no body. */
  readonly request?: unknown;
  /** The body with the fewest fields. */
  readonly smallest?: unknown;
  /** An answer for each status of success; absent if the answers have no body. */
  readonly answers?: Readonly<Record<string, unknown>>;
};

type Recorded = {
  readonly operations: Readonly<Record<string, Example>>;
  /** An event of each type that tests list. */
  readonly events?: Readonly<Record<string, unknown>>;
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

/** A recorded event of this type; undefined if none was recorded. */
export function eventExample(type: EventType): unknown {
  return RECORDED.events?.[type];
}
