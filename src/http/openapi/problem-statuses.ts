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
export const PROBLEM_STATUSES = Object.keys(NAMES).map((status) => Number(status) as ProblemStatus);

/** Says whether refusals with the status have a named response. */
export function isProblemStatus(status: number): status is ProblemStatus {
  return Object.hasOwn(NAMES, status);
}

/** The name of the response with this status. */
export function problemName(status: ProblemStatus | 'default'): string {
  return status === 'default' ? 'Problem' : NAMES[status];
}
