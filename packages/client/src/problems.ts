import type { Problem, ProblemCode } from './generated/types.ts';
import { isRecord } from './records.ts';

/** A refusal of the service. `code` says why, for programs; the message says it for people. */
export class ServiceProblem extends Error {
  override readonly name = 'ServiceProblem';
  /** The whole answer of the service (RFC 9457). */
  readonly problem: Problem;

  /** @param what the request or message that was refused */
  constructor(what: string, problem: Problem) {
    super(`${what}: ${problem.detail} (${problem.code}, ${problem.request_id})`);
    this.problem = problem;
  }

  /** The reason for programs. A newer service may send codes that this version does not list. */
  get code(): ProblemCode {
    return this.problem.code;
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status;
  }

  /** The id by which the operator of the service finds the request. */
  get requestId(): string {
    return this.problem.request_id;
  }
}

/**
 * The service gave no answer that can be read: a lost connection, a timeout or a broken proxy. The service may have done
 * the work all the same. A repeat with the same `idempotencyKey` is harmless.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** The HTTP status, if something between client and service answered. */
  readonly status: number | null;
  /** The key of the request that had no answer; null if the request had none. */
  readonly idempotencyKey: string | null;

  constructor(
    what: string,
    {
      status = null,
      idempotencyKey = null,
      cause,
    }: { status?: number | null; idempotencyKey?: string | null; cause?: unknown } = {},
  ) {
    super(`${what}: ${status === null ? 'the service did not answer' : `the answer ${status} cannot be read`}`, {
      cause,
    });
    this.status = status;
    this.idempotencyKey = idempotencyKey;
  }
}

/** Says whether a value is a problem object of the service. */
export function isProblem(value: unknown): value is Problem {
  return (
    isRecord(value) && typeof value['code'] === 'string' && typeof value['status'] === 'number' && 'detail' in value
  );
}
