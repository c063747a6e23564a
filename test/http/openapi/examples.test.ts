import { expect, test } from 'vitest';
import { EVENTS, type EventType } from '../../../src/domain/deliveries/events.ts';
import { EVENT_VIEWS } from '../../../src/http/wire/webhooks/event.ts';
import { eventExample, exampleOf, problemExample } from '../../../src/http/openapi/examples.ts';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import { PROBLEM_STATUSES } from '../../../src/http/openapi/problem-statuses.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import { ProblemView } from '../../../src/http/wire/problem.ts';
import { readRoot } from '../../sources.ts';

/** The routes whose answer is a file. */
const FILES: readonly string[] = ['GET /files/{token}'];
const MOST_BYTES = 400_000;

const rows = ROUTES.filter((row): row is Endpoint => row.kind === 'endpoint' && !FILES.includes(row.route));

test('[H330] each operation has an example of its body, and of each answer of success (npm run docs:examples writes them)', () => {
  for (const { route, status, also, body, upload, reply } of rows) {
    const { request, answers = {} } = exampleOf(route) ?? {};
    const wanted = {
      hasRequest: body !== null || upload !== null,
      statuses: reply === null ? [] : [status, ...Object.keys(also).map(Number)],
    };
    const shown = { hasRequest: request !== undefined, statuses: new Set(Object.keys(answers).map(Number)) };
    expect([route, shown]).toEqual([route, { ...wanted, statuses: new Set(wanted.statuses) }]);
  }
  for (const [type, { webhook }] of Object.entries(EVENTS)) {
    const isShown = EVENT_VIEWS.get(type as EventType)?.safeParse(eventExample(type as EventType)).success;
    if (webhook === 'published') expect([type, isShown]).toEqual([type, true]);
  }
  for (const status of PROBLEM_STATUSES) expect(ProblemView.parse(problemExample(status)).status).toBe(status);
  expect(rows.length).toBeGreaterThan(90);
});

test('[H331] each example satisfies the schema of the server, and none contains a real secret or address', () => {
  for (const { route, body, upload, reply } of rows) {
    const { request, smallest, answers = {} } = exampleOf(route) ?? {};
    const bodies = body === null || upload !== null ? [] : [request, smallest];
    const refused = [
      ...bodies.map((each) => body?.safeParse(each).error),
      ...Object.values(answers).map((each) => reply?.safeParse(each).error),
    ];
    expect([route, refused.filter((error) => error !== undefined)]).toEqual([route, []]);
  }
  const text = readRoot('src/http/openapi/examples.json');
  expect(text.length).toBeLessThan(MOST_BYTES);
  expect(text).not.toMatch(/127\.0\.0\.1:|localhost:/);
  for (const [secret] of text.matchAll(/dsk_\w+_\w+|whsec_[\w+/=]+|eyJ[\w.-]+|\/t\/\w+|\/files\/[\w.-]+/g)) {
    expect(secret).toMatch(/made-?up|bWFkZS11cA/i);
  }
});
