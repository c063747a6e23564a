/**
 * Every "no" the service can say, once. HTTP answers, socket answers, documents and tests are made from this table.
 * `retryable` marks the ones where the same request may succeed later without a change.
 */
// One row per line: this is a table.
// oxfmt-ignore
export const REFUSALS = {
  malformed_body:              { status: 400, title: 'The body is not JSON' },
  invalid_params:              { status: 400, title: 'The request does not fit the schema' },
  unknown_field:               { status: 400, title: 'The request holds a field the schema does not know' },
  unauthorized:                { status: 401, title: 'The credential is missing or not valid' },
  token_expired:               { status: 401, title: 'The token has expired; get a new one' },
  otp_invalid:                 { status: 401, title: 'The one-time code is wrong or has expired' },
  forbidden:                   { status: 403, title: 'This credential may not do that' },
  route_not_found:             { status: 404, title: 'No such path' },
  delivery_not_found:          { status: 404, title: 'No such delivery' },
  quote_not_found:             { status: 404, title: 'No such quote' },
  courier_not_found:           { status: 404, title: 'No such courier' },
  vendor_not_found:            { status: 404, title: 'No such vendor' },
  location_not_found:          { status: 404, title: 'No such vendor location' },
  tracking_link_not_found:     { status: 404, title: 'No such tracking link' },
  tracking_link_expired:       { status: 410, title: 'This tracking link has ended' },
  method_not_allowed:          { status: 405, title: 'This path does not take that method' },
  invalid_state_transition:    { status: 409, title: 'The delivery is not in a state that allows this' },
  duplicate_delivery:          { status: 409, title: 'This external_id names another delivery' },
  duplicate_courier:           { status: 409, title: 'This phone belongs to another courier' },
  used_quote:                  { status: 409, title: 'This quote has been used' },
  already_assigned:            { status: 409, title: 'Another courier holds this delivery' },
  courier_unavailable:         { status: 409, title: 'This courier cannot take a delivery now' },
  courier_not_verified:        { status: 409, title: 'This courier is not active' },
  courier_not_assigned:        { status: 409, title: 'No courier is assigned yet' },
  courier_excluded:            { status: 409, title: 'This courier declined or gave up this delivery' },
  offer_expired:               { status: 409, title: 'The offer has expired' },
  offer_taken:                 { status: 409, title: 'The offer is gone' },
  delivery_complete:           { status: 409, title: 'The delivery has ended' },
  update_not_allowed:          { status: 409, title: 'This can no longer be changed' },
  too_many_releases:           { status: 409, title: 'The delivery was given back too often; cancel it or assign by hand' },
  not_late_enough:             { status: 409, title: 'The pickup is not late enough to change the courier' },
  stop_not_open:               { status: 409, title: 'This stop is already done' },
  stale_version:               { status: 412, title: 'The delivery has changed; read it again' },
  payload_too_large:           { status: 413, title: 'The body is too large' },
  unsupported_media_type:      { status: 415, title: 'Send application/json' },
  expired_quote:               { status: 422, title: 'The quote has expired' },
  mismatched_price_quote:      { status: 422, title: 'The quote was made for something else' },
  invalid_delivery_parameters: { status: 422, title: 'This delivery cannot be carried out' },
  pickup_ready_too_late:       { status: 422, title: 'The pickup window starts more than 30 days ahead' },
  pickup_window_too_small:     { status: 422, title: 'The pickup window is shorter than 10 minutes' },
  pickup_deadline_too_early:   { status: 422, title: 'The pickup window has passed' },
  drop_off_window_too_small:   { status: 422, title: 'The drop-off window is shorter than 20 minutes' },
  drop_off_ready_after_pickup_deadline:    { status: 422, title: 'The drop-off window starts after the pickup must be done' },
  drop_off_deadline_before_pickup_deadline: { status: 422, title: 'The drop-off must end before the pickup may' },
  too_far_from_stop:           { status: 422, title: 'The courier is too far from the stop' },
  courier_position_unknown:    { status: 422, title: 'The position of the courier is missing or too old' },
  contact_tries_missing:       { status: 422, title: 'Two contact tries at least one minute apart, and five minutes of waiting, come first' },
  webhook_url_not_allowed:     { status: 422, title: 'This address may not receive webhooks' },
  too_many_registrations:      { status: 422, title: 'The account has as many webhook registrations as it may' },
  test_mode_only:              { status: 422, title: 'This is for test mode only' },
  too_many_requests:           { status: 429, title: 'Too many requests; wait', retryable: true },
  internal_error:              { status: 500, title: 'Something went wrong on our side', retryable: true },
  busy:                        { status: 503, title: 'Too much at once; try again', retryable: true },
} as const satisfies Record<string, RefusalRow>;

type RefusalRow = { readonly status: number; readonly title: string; readonly retryable?: true };

export type RefusalCode = keyof typeof REFUSALS;

/** One wrong place in a request: a JSON pointer, a word a program can match and a sentence for a person. */
export type FieldError = { pointer: string; code: string; message: string };

/** RFC 9457 problem details, the same object over HTTP and sockets. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: RefusalCode;
  reason?: string;
  errors?: FieldError[];
  metadata?: Record<string, unknown>;
  retryable: boolean;
  request_id: string;
};

export type RefusalDetail = {
  detail?: string;
  reason?: string;
  errors?: FieldError[];
  metadata?: Record<string, unknown>;
};

/** A refusal from the catalogue. Thrown anywhere, translated at the edges into a `Problem`. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly told: RefusalDetail;

  constructor(code: RefusalCode, told: RefusalDetail = {}) {
    super(told.detail ?? REFUSALS[code].title);
    this.code = code;
    this.told = told;
  }
}

/** Makes the problem object of a refusal. `instance` is the path or message it answers. */
export function presentRefusal(refusal: Refusal, requestId: string, instance?: string): Problem {
  const row: RefusalRow = REFUSALS[refusal.code];
  const { reason, errors, metadata } = refusal.told;
  return {
    type: `urn:dispatch:problem:${refusal.code}`,
    title: row.title,
    status: row.status,
    detail: refusal.message,
    ...(instance === undefined ? {} : { instance }),
    code: refusal.code,
    ...(reason === undefined ? {} : { reason }),
    ...(errors === undefined ? {} : { errors }),
    ...(metadata === undefined ? {} : { metadata }),
    retryable: row.retryable === true,
    request_id: requestId,
  };
}

/** Turns zod issues into a refusal that names every wrong place; an unknown key gets its own code. */
export function refuseSchema(issues: readonly SchemaIssue[]): Refusal {
  const errors = issues.flatMap(fieldErrors).slice(0, 50);
  const onlyUnknown = errors.length > 0 && errors.every(({ code }) => code === 'unknown_field');
  const first = errors[0];
  const detail = first === undefined ? undefined : `${first.pointer || '/'}: ${first.message}`;
  return new Refusal(
    onlyUnknown ? 'unknown_field' : 'invalid_params',
    detail === undefined ? { errors } : { errors, detail },
  );
}

export type SchemaIssue = {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  /** The issues of each branch of a union that nothing fitted. */
  readonly errors?: readonly (readonly SchemaIssue[])[];
};

function fieldErrors(issue: SchemaIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({
      pointer: pointer([...issue.path, key]),
      code: 'unknown_field',
      message: 'this field is not known',
    }));
  }
  const meant = issue.code === 'invalid_union' ? nearestBranch(issue.errors ?? []) : undefined;
  if (meant !== undefined) {
    return meant.flatMap((inner) => fieldErrors({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [{ pointer: pointer(issue.path), code: issue.code ?? 'invalid', message: issue.message }];
}

/** The branch of a union that the caller most likely meant: of the right type, and with the fewest unknown keys. */
function nearestBranch(branches: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] | undefined {
  const unknownKeys = (issues: readonly SchemaIssue[]): number =>
    issues.reduce((count, { keys }) => count + (keys?.length ?? 0), 0);
  return branches
    .filter((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
    .toSorted((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length)[0];
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
