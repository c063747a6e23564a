import { REFUSALS, type RefusalCode } from '../../domain/refusals/refusals.ts';
import { RESPONSE_HEADERS } from './api-text.ts';
import { problemExample } from './examples.ts';

/** The statuses of refusals that operations list, and the names of their responses. */
const NAMES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'InsufficientFunds',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  412: 'StaleVersion',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  503: 'Busy',
} as const;

export type ProblemStatus = keyof typeof NAMES;

/** The statuses that have a named response. */
export const PROBLEM_STATUSES: readonly number[] = Object.keys(NAMES).map(Number);

/** The name of the response with this status. */
export function problemName(status: ProblemStatus | 'default'): string {
  return status === 'default' ? 'Problem' : NAMES[status];
}

/** Every named problem response: its codes, its headers and a recorded example. */
export function problemResponses(): Record<string, object> {
  const statuses = Object.keys(NAMES).map((status) => Number(status) as ProblemStatus);
  return {
    ...Object.fromEntries(statuses.map((status) => [NAMES[status], responseOf(`${listCodes(status)}.`, status)])),
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
