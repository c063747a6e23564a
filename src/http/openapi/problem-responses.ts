import { REFUSALS, type RefusalCode } from '../../domain/refusals/refusals.ts';
import { RESPONSE_HEADERS } from './api-text.ts';
import { problemExample } from './examples.ts';
import { PROBLEM_STATUSES, problemName, type ProblemStatus } from './problem-statuses.ts';

/** Every named problem response: its codes, its headers and a recorded example. */
export function problemResponses(): Record<string, object> {
  return {
    ...Object.fromEntries(
      PROBLEM_STATUSES.map((status) => [problemName(status), responseOf(`${listCodes(status)}.`, status)]),
    ),
    Problem: responseOf('Any other refusal, or a failure of the server. `code` says which one.', null),
  };
}

function listCodes(status: ProblemStatus): string {
  const codes = Object.keys(REFUSALS).filter((code) => REFUSALS[code as RefusalCode].status === status);
  return `Refused with the code ${codes.map((code) => `\`${code}\``).join(', ')}`;
}

function responseOf(description: string, status: ProblemStatus | null): object {
  const { name: requestId, ...requestIdHeader } = RESPONSE_HEADERS.requestId;
  const { name: retryAfter, ...retryHeader } = RESPONSE_HEADERS.retryAfter;
  const isRetryable = status === null || status === 429 || status === 503;
  const example = status === null ? undefined : problemExample(status);
  return {
    description,
    headers: { [requestId]: requestIdHeader, ...(isRetryable ? { [retryAfter]: retryHeader } : {}) },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}
