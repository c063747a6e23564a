import { isProblemStatus } from '../../src/http/openapi/problem-statuses.ts';
import { refusalsOf } from '../../src/http/openapi/operation-parts.ts';
import { POLICY } from '../../src/http/policy.ts';
import { ROUTES } from '../../src/http/routes.ts';

/** Each operation: a pattern of its method and paths, and the statuses of the refusals that the document lists for it. */
const OPERATIONS = ROUTES.filter((row) => row.kind === 'endpoint').map((row) => ({
  route: row.route,
  pattern: new RegExp(`^${row.route.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  listed: new Set(Object.keys(refusalsOf(row, POLICY[row.route]))),
}));

/** Throws if the OpenAPI document does not list this refusal for the operation, so that every test of a refusal checks it. */
export function refuseUnlisted(method: string, path: string, status: number): void {
  if (!isProblemStatus(status)) return;
  const asked = `${method} ${path.split('?')[0] ?? ''}`;
  const meant = OPERATIONS.filter(({ pattern }) => pattern.test(asked));
  // A literal path comes before one with an id.
  const operation = meant.find(({ route }) => route === asked) ?? meant[0];
  if (operation === undefined || operation.listed.has(String(status))) return;
  throw new Error(`${operation.route} answered ${status}, which the document does not list: add it to \`refuses\``);
}
