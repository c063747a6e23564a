import { showText } from './shown-text.ts';

/**
 * Every "no" the service can say, once. HTTP answers, socket answers, documents and tests are made from this table.
 * `retryable` marks the ones where the same request may succeed later without a change. `detail` is the sentence for a
 * code that needs no facts; all other codes are thrown with one. `field` is the field at fault, when it is always the same.
 */
// One row per line: this is a table.
// oxfmt-ignore
export const REFUSALS = {
  malformed_body:              { status: 400, title: 'The body is not JSON' },
  invalid_params:              { status: 400, title: 'A field has a value that is not allowed' },
  unknown_field:               { status: 400, title: 'The request has a field that the server does not know' },
  unauthorized:                { status: 401, title: 'The credential is missing or not valid', detail: 'The credential is missing, wrong, expired or revoked.' },
  token_expired:               { status: 401, title: 'The access token has expired', detail: 'The access token has expired. `POST /auth/token` gives a new one for the refresh token.' },
  otp_invalid:                 { status: 401, title: 'The one-time code is wrong or has expired', detail: 'No courier has this phone number and six-digit code, or the code was used, has expired or was tried too often.', field: '/code' },
  forbidden:                   { status: 403, title: 'The caller may not do this' },
  route_not_found:             { status: 404, title: 'There is no such path' },
  delivery_not_found:          { status: 404, title: 'There is no such delivery', detail: 'The caller has no delivery with this id.' },
  quote_not_found:             { status: 404, title: 'There is no such quote', detail: 'The vendor has no quote with this id in this mode.', field: '/quote_id' },
  courier_not_found:           { status: 404, title: 'There is no such courier', detail: 'The caller can reach no courier with this id.' },
  vendor_not_found:            { status: 404, title: 'There is no such vendor', detail: 'The caller can reach no vendor with this id.', field: '/vendor_id' },
  location_not_found:          { status: 404, title: 'There is no such vendor location', detail: 'The vendor has no location with this id.', field: '/pickup/location_id' },
  tracking_link_not_found:     { status: 404, title: 'There is no such tracking link', detail: 'No delivery has this tracking link.' },
  tracking_link_expired:       { status: 410, title: 'This tracking link has ended', detail: 'The time of this tracking link is over, or it was revoked.' },
  history_expired:             { status: 410, title: 'The events of this delivery are no longer kept', detail: 'The delivery ended so long ago that its events were removed. `GET /deliveries/{id}` still has its times and its ending.' },
  slow_body:                   { status: 408, title: 'The body did not come in time' },
  method_not_allowed:          { status: 405, title: 'This path does not take that method' },
  invalid_state_transition:    { status: 409, title: 'The delivery is not in a state that allows this' },
  duplicate_delivery:          { status: 409, title: 'This external_id names another delivery', field: '/external_id' },
  duplicate_courier:           { status: 409, title: 'This phone belongs to another courier', detail: 'Another courier of the same mode has this phone number.', field: '/phone' },
  used_quote:                  { status: 409, title: 'This quote has been used', detail: 'A quote makes one delivery, and this quote has made one.', field: '/quote_id' },
  already_assigned:            { status: 409, title: 'Another courier is assigned to this delivery', detail: 'Another courier is assigned to this delivery. Unassign them first.' },
  courier_unavailable:         { status: 409, title: 'This courier cannot take a delivery now' },
  courier_not_verified:        { status: 409, title: 'This courier is not active' },
  courier_not_assigned:        { status: 409, title: 'No courier is assigned yet', detail: 'The delivery has a location only while a courier is assigned to it.' },
  courier_excluded:            { status: 409, title: 'This courier declined or gave back this delivery', detail: 'The courier gave this delivery back, so only staff can assign it to them again.' },
  offer_expired:               { status: 409, title: 'The offer has expired', detail: 'The time to answer this offer is over.' },
  offer_taken:                 { status: 409, title: 'The offer is gone', detail: 'The offer was withdrawn or answered, or it belongs to another courier.' },
  delivery_complete:           { status: 409, title: 'The delivery has ended' },
  update_not_allowed:          { status: 409, title: 'This can no longer be changed' },
  too_many_releases:           { status: 409, title: 'The delivery was given back too often' },
  not_late_enough:             { status: 409, title: 'The pickup is not late enough to change the courier' },
  stop_not_open:               { status: 409, title: 'This stop has ended' },
  stale_version:               { status: 412, title: 'The delivery has changed; read it again' },
  payload_too_large:           { status: 413, title: 'The body is too large' },
  unsupported_media_type:      { status: 415, title: 'The body must be JSON' },
  expired_quote:               { status: 422, title: 'The quote has expired', field: '/quote_id' },
  mismatched_price_quote:      { status: 422, title: 'The quote was made for something else', field: '/quote_id' },
  invalid_delivery_parameters: { status: 422, title: 'This delivery cannot be carried out' },
  pickup_ready_too_late:       { status: 422, title: 'The pickup window starts more than 30 days ahead', field: '/pickup/window/ready_at' },
  window_too_late:             { status: 422, title: 'A window begins or ends more than 30 days ahead' },
  pickup_window_too_small:     { status: 422, title: 'The pickup window is shorter than 10 minutes', field: '/pickup/window/deadline_at' },
  pickup_deadline_too_early:   { status: 422, title: 'The pickup window has passed', field: '/pickup/window/deadline_at' },
  drop_off_window_too_small:   { status: 422, title: 'The drop-off window is shorter than 20 minutes' },
  drop_off_ready_after_pickup_deadline:     { status: 422, title: 'The drop-off window starts after the pickup window ends' },
  drop_off_deadline_before_pickup_deadline: { status: 422, title: 'The drop-off window ends before the pickup window does' },
  too_far_from_stop:           { status: 422, title: 'The courier is too far from the stop' },
  courier_position_unknown:    { status: 422, title: 'The position of the courier is missing or too old' },
  contact_tries_missing:       { status: 422, title: 'The courier has not waited or tried to reach the recipient for long enough' },
  webhook_url_not_allowed:     { status: 422, title: 'This address may not receive webhooks', field: '/url' },
  too_many_registrations:      { status: 422, title: 'The account has as many webhook registrations as it may' },
  test_mode_only:              { status: 422, title: 'This is for test mode only', detail: '`test_specifications` is for deliveries in test mode only.', field: '/test_specifications' },
  too_many_requests:           { status: 429, title: 'Too many requests', retryable: true, detail: 'The caller has sent more requests than the limit allows.' },
  internal_error:              { status: 500, title: 'Something went wrong on our side', retryable: true, detail: 'The server failed. Its log has the cause under `request_id`.' },
  busy:                        { status: 503, title: 'The server could not do this in time', retryable: true, detail: 'The server could not do this in time. Send the same request again in a moment.' },
} as const satisfies Record<string, RefusalRow>;

type RefusalRow = {
  readonly status: number;
  readonly title: string;
  readonly retryable?: true;
  readonly detail?: string;
  readonly field?: string;
};

export type RefusalCode = keyof typeof REFUSALS;

/** The codes whose row has the whole sentence. */
export type PlainCode = {
  [C in RefusalCode]: (typeof REFUSALS)[C] extends { detail: string } ? C : never;
}[RefusalCode];

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

/** What a refusal tells beside its code. `detail` is a sentence that names the field, the limit and the fact. */
export type RefusalDetail = {
  detail?: string;
  reason?: string;
  errors?: FieldError[];
  metadata?: Record<string, unknown>;
};

export type Explained = RefusalDetail & { detail: string };

/** A no of a pure function: what to refuse with. */
export type No = ({ readonly code: PlainCode } & RefusalDetail) | ({ readonly code: RefusalCode } & Explained);

/** A refusal from the catalogue. Thrown anywhere, translated at the edges into a `Problem`. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly told: RefusalDetail;

  constructor(no: No);
  constructor(code: PlainCode, told?: RefusalDetail);
  constructor(code: RefusalCode, told: Explained);
  constructor(given: RefusalCode | No, told: RefusalDetail = {}) {
    const no = typeof given === 'string' ? { ...told, code: given } : given;
    const { title, detail = title }: RefusalRow = REFUSALS[no.code];
    super(no.detail ?? detail);
    this.code = no.code;
    this.told = no;
  }
}

/** Characters of a path that a problem names: those of the longest route, and as many for an id. */
const MOST_OF_INSTANCE = 128;

/** Makes the problem object of a refusal. `instance` is the path or message it answers. */
export function presentRefusal(refusal: Refusal, requestId: string, instance?: string): Problem {
  const row: RefusalRow = REFUSALS[refusal.code];
  const { reason, metadata } = refusal.told;
  const errors = refusal.told.errors ?? errorsOf(refusal, row.field);
  return {
    type: `urn:dispatch:problem:${refusal.code}`,
    title: row.title,
    status: row.status,
    detail: refusal.message,
    ...(instance === undefined ? {} : { instance: showText(instance, MOST_OF_INSTANCE) }),
    code: refusal.code,
    ...(reason === undefined ? {} : { reason }),
    ...(errors.length === 0 ? {} : { errors }),
    ...(metadata === undefined ? {} : { metadata }),
    retryable: row.retryable === true,
    request_id: requestId,
  };
}

function errorsOf({ code, message }: Refusal, pointer: string | undefined): FieldError[] {
  return pointer === undefined ? [] : [{ pointer, code, message }];
}

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Words as a sentence lists them: `a`, `b` or `c`. */
export function anyOf(words: readonly string[]): string {
  return OR.format(words.map((word) => `\`${word}\``));
}

/** The refusal of a caller of the wrong kind. */
export function refuseCaller(kind: string, allowed: readonly string[]): Refusal {
  return new Refusal('forbidden', {
    detail: `This is for callers of the kind ${anyOf(allowed)}; this caller is of the kind \`${kind}\`.`,
  });
}

/**
 * A refusal that is about one field of the request.
 * @param rule how the sentence goes on after the pointer, as in "must be later than `ready_at`"
 */
export function refuseField(pointer: string, code: string, rule: string): Refusal {
  const message = `\`${pointer}\` ${rule}.`;
  return new Refusal('invalid_params', { detail: message, errors: [{ pointer, code, message }] });
}
