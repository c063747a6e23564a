import type { z } from 'zod';
import { ROUTES } from '../../src/http/routes.ts';
import { ProblemView } from '../../src/http/wire/problem.ts';
import type { Answer } from './house.ts';

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
  return parsed.data.request_id === headers.get('x-request-id') ? null : 'the request id differs from the header';
}
