import type { z } from 'zod';
import { REFUSALS } from '../../src/domain/refusals/refusals.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import type { IdKind } from '../../src/http/path-ids.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { ProblemView } from '../../src/http/wire/problem.ts';
import type { Answer } from './house.ts';

/** The ids that stand in a path, by their kind. */
export type PathValues = { readonly [K in IdKind]: string | number };

/** The route with these ids in place of its names. */
export function pathWith({ route, id, part }: Pick<Endpoint, 'route' | 'id' | 'part'>, ids: PathValues): string {
  const values = [id, part].map((kind) => (kind === null ? '' : String(ids[kind])));
  return route.replaceAll(/\{\w+\}/g, () => values.shift() ?? '');
}

/** The schema with which the server promises to answer a route. */
export function replyOf(route: string): z.ZodType | null {
  const row = ROUTES.find((each) => each.route === route);
  return row?.kind === 'endpoint' ? row.reply : null;
}

/** Why this answer is not a sound problem; null when it is one. */
export function wrongProblem({ status, body, headers }: Answer): string | null {
  if (headers.get('content-type') !== 'application/problem+json; charset=utf-8')
    return `type ${headers.get('content-type')}`;
  const parsed = ProblemView.safeParse(body);
  if (!parsed.success) return parsed.error.message;
  if (parsed.data.status !== status) return 'the status differs from the answer';
  const vague = vagueIn(parsed.data);
  if (vague !== null) return vague;
  return parsed.data.request_id === headers.get('x-request-id') ? null : 'the request id differs from the header';
}

/** The part of a problem that does not help: a detail equal to the title, or a field without its rule; null if there is none. */
function vagueIn({ code, detail, errors = [] }: z.output<typeof ProblemView>): string | null {
  if (detail === REFUSALS[code].title || !/^[A-Z`].*\.$/su.test(detail)) return `the detail says nothing: ${detail}`;
  const isAboutFields = code === 'invalid_params' || code === 'unknown_field';
  if (isAboutFields && errors.length === 0) return 'no field is named';
  const unclear = errors.find(({ pointer, message }) => isAboutFields && !isRuleOf(pointer, message));
  return unclear === undefined ? null : `${unclear.pointer} has no rule: ${unclear.message}`;
}

function isRuleOf(pointer: string, message: string): boolean {
  const subject = pointer === '' ? 'The body' : `\`${pointer}\``;
  return (
    message.startsWith(`${subject} must `) && message.endsWith('.') && !message.includes('a value of another kind')
  );
}
