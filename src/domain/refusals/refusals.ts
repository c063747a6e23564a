/**
 * Every refusal of the service. HTTP answers, socket answers, documents and tests are made from this table. `retryable`
 * means that the same request may succeed later without a change. `detail` is the sentence of a code that needs no
 * facts; all other codes are thrown with a sentence. `field` is the invalid field, if it is always the same. `passing`
 * means that the same request may be judged otherwise, so its `Idempotency-Key` does not keep the refusal.
 */
// One row per line: this is a table.
// oxfmt-ignore
export const REFUSALS = {
  malformed_body:              { status: 400, title: 'The body cannot be parsed' },
  malformed_request:           { status: 400, title: 'The request is not valid HTTP' },
  invalid_params:              { status: 400, title: 'A field has an invalid value' },
  unknown_field:               { status: 400, title: 'The request has an unknown field' },
  unauthorized:                { status: 401, title: 'The credential is missing or invalid', detail: 'The credential is missing, wrong, expired or revoked.' },
  token_expired:               { status: 401, title: 'The access token has expired', detail: 'The access token has expired. Exchange the refresh token for a new one with `POST /auth/token`.' },
  otp_invalid:                 { status: 401, title: 'The one-time code is wrong or has expired', detail: '`/code` must be the latest one-time code of this phone number. The code is wrong, was used, has expired or was tried too often.', field: '/code' },
  insufficient_funds:          { status: 402, title: 'The wallet does not have enough funds', detail: 'The wallet has less available than this needs. No money has moved.' },
  wallet_frozen:               { status: 403, title: 'The wallet is frozen', detail: 'The wallet is frozen, so no new delivery can be paid from it. Open deliveries go on.' },
  insufficient_scope:          { status: 403, title: 'The API key does not have the scope' },
  vendor_suspended:            { status: 403, title: 'The vendor account is suspended', detail: 'The vendor is suspended, so it gets no quotes and no new deliveries. Its open deliveries go on.' },
  forbidden:                   { status: 403, title: 'The caller may not do this' },
  route_not_found:             { status: 404, title: 'This path does not exist' },
  delivery_not_found:          { status: 404, title: 'The delivery does not exist', detail: 'The caller has no delivery with this id.' },
  stop_not_found:              { status: 404, title: 'The delivery does not have this stop', detail: 'The delivery does not have a stop with this number that the action can name. Drop-offs count from 1, and only an arrival and proof can name the pickup, which is 0.' },
  quote_not_found:             { status: 404, title: 'The quote does not exist', detail: '`/quote_id` must be the id of a quote of this vendor and mode.', field: '/quote_id' },
  courier_not_found:           { status: 404, title: 'The courier does not exist', detail: 'The caller has no access to a courier with this id.' },
  device_not_found:            { status: 404, title: 'The device does not exist', detail: 'The courier has no device with this id.' },
  offer_not_found:             { status: 404, title: 'The offer does not exist', detail: 'The courier has no offer with this id.' },
  document_not_found:          { status: 404, title: 'The document does not exist', detail: 'The caller has no access to a document with this id.' },
  vendor_not_found:            { status: 404, title: 'The vendor does not exist', detail: 'The caller has no access to a vendor with this id.' },
  location_not_found:          { status: 404, title: 'The vendor location does not exist', detail: 'The caller has no access to a vendor location with this id.' },
  zone_not_found:              { status: 404, title: 'The zone does not exist', detail: 'The vendor location has no zone with this id.' },
  pricing_rule_not_found:      { status: 404, title: 'The pricing rule does not exist', detail: 'The vendor or the platform has no pricing rule with this id.' },
  top_up_not_found:            { status: 404, title: 'The top-up does not exist', detail: 'The caller has no top-up with this id.' },
  top_up_refund_not_found:     { status: 404, title: 'The refund of a top-up does not exist', detail: 'No refund of a top-up has this id.' },
  suspense_not_found:          { status: 404, title: 'The money in suspense does not exist', detail: 'No money in suspense has this id.' },
  adjustment_not_found:        { status: 404, title: 'The adjustment does not exist', detail: 'No adjustment has this id.' },
  transaction_not_found:       { status: 404, title: 'The transaction does not exist', detail: 'The caller has no transaction with this id.' },
  invoice_not_found:           { status: 404, title: 'The invoice does not exist', detail: 'The caller has no invoice with this id, no invoice of this month, and no charge for this delivery.' },
  dispute_not_found:           { status: 404, title: 'The dispute does not exist', detail: 'The caller has no dispute with this id.' },
  payout_not_found:            { status: 404, title: 'The payout does not exist', detail: 'No payout has this id.' },
  settlement_not_found:        { status: 404, title: 'The settlement does not exist', detail: 'The caller has no settlement with this id.' },
  order_not_found:             { status: 404, title: 'The vendor order does not exist', detail: 'No order can have this id: an order id has 1 to 64 characters, which are letters, digits and . _ ~ -.' },
  webhook_not_found:           { status: 404, title: 'The webhook does not exist', detail: 'The caller has no webhook with this id.' },
  event_not_found:             { status: 404, title: 'The event does not exist', detail: 'The caller has no event with this id.' },
  session_not_found:           { status: 404, title: 'The session does not exist', detail: 'The caller has no session with this id.' },
  staff_not_found:             { status: 404, title: 'The member of staff does not exist', detail: 'No member of staff has this id.' },
  api_key_not_found:           { status: 404, title: 'The API key does not exist', detail: 'The caller has no access to an API key with this id.' },
  tracking_link_not_found:     { status: 404, title: 'The tracking link does not exist', detail: 'No delivery has this tracking link.' },
  tracking_link_expired:       { status: 410, title: 'The tracking link has expired', detail: 'The tracking link has expired or was revoked.' },
  history_expired:             { status: 410, title: 'The events of this delivery have been removed', detail: 'The delivery ended so long ago that its events have been removed. `GET /deliveries/{id}` still returns its times and its final state.' },
  slow_body:                   { status: 408, title: 'The body did not arrive in time' },
  slow_request:                { status: 408, title: 'The request did not arrive in time' },
  file_not_found:              { status: 404, title: 'The file does not exist', detail: 'No file has this link.' },
  file_link_expired:           { status: 410, title: 'The link to the file has expired', detail: 'The link to the file has expired. Request the object that has the file again: its answer has a new link.' },
  method_not_allowed:          { status: 405, title: 'This path does not support the method' },
  invalid_state_transition:    { status: 409, title: 'The state of the delivery does not allow this' },
  duplicate_delivery:          { status: 409, title: 'Another delivery has this external_id or order_id', field: '/external_id' },
  duplicate_courier:           { status: 409, title: 'Another courier has this phone number', detail: '`/phone` must be unique: another courier of the same mode has this phone number.', field: '/phone' },
  subsidized_quote:            { status: 409, title: 'The quote has a subsidy already', detail: 'A quote has one subsidy at most, and it cannot be changed. Request a new quote for another one.', field: '/quote_id' },
  used_quote:                  { status: 409, title: 'The quote has been used', detail: '`/quote_id` must be an unused quote: a quote is valid for one delivery only.', field: '/quote_id' },
  already_assigned:            { status: 409, title: 'Another courier is assigned to this delivery', detail: 'Another courier is assigned to this delivery. To assign this one, unassign the other courier first.' },
  courier_unavailable:         { status: 409, title: 'The courier cannot take this delivery now' },
  courier_not_verified:        { status: 409, title: 'The courier is not active' },
  courier_not_assigned:        { status: 409, title: 'No courier is assigned', detail: 'The live location exists only while a courier is assigned to the delivery. Before that, wait for the event `courier.assigned`.' },
  courier_excluded:            { status: 409, title: 'The courier has given this delivery back', detail: 'The courier has given this delivery back, so only staff can assign it to them again.' },
  robo_courier_required:       { status: 409, title: 'No robo-courier carries this delivery', detail: 'Only deliveries of test mode that were created with `test_specifications` can be advanced.' },
  offer_expired:               { status: 409, title: 'The offer has expired', detail: 'The time to answer this offer has passed. Wait for the next offer.' },
  offer_taken:                 { status: 409, title: 'The offer is no longer open', detail: 'The offer was withdrawn or answered. Wait for the next offer.' },
  delivery_complete:           { status: 409, title: 'The delivery has ended' },
  update_not_allowed:          { status: 409, title: 'The field cannot be changed like this now' },
  too_many_releases:           { status: 409, title: 'The delivery has been given back too often' },
  not_late_enough:             { status: 409, title: 'The pickup is not late enough to change the courier' },
  rating_not_possible:         { status: 409, title: 'The delivery cannot be rated now' },
  stop_not_open:               { status: 409, title: 'The stop is no longer open' },
  idempotency_in_progress:     { status: 409, title: 'An equal request is still running', retryable: true, detail: 'A request with the same `Idempotency-Key` has been running for more than 5 seconds. Send the same request again to get its answer.' },
  idempotency_secret_lost:     { status: 409, title: 'The secret of an earlier answer cannot be shown again', detail: 'An earlier request with this `Idempotency-Key` may have had its effect. Its answer contained a secret, which this server cannot show again, because its own keys have changed since.' },
  document_decided:            { status: 409, title: 'The document has been decided or is in review' },
  top_up_not_refundable:       { status: 409, title: 'The top-up cannot be refunded' },
  top_up_refund_not_open:      { status: 409, title: 'The refund does not wait for a person' },
  payout_not_open:             { status: 409, title: 'The payout does not wait for a person' },
  suspense_not_open:           { status: 409, title: 'The money in suspense is not in a state that allows this' },
  adjustment_not_open:         { status: 409, title: 'The adjustment does not wait for a decision' },
  settlement_not_open:         { status: 409, title: 'The settlement does not wait for an approval' },
  webhook_disabled:            { status: 409, title: 'The webhook is disabled', detail: 'The webhook is disabled. Enable it with `PATCH /webhooks/{id}` first.' },
  webhook_secret_overlap:      { status: 409, title: 'An earlier secret of the webhook still signs' },
  duplicate_staff:             { status: 409, title: 'Another member of staff has this e-mail address', detail: '`/email` must be unique: a member of staff has this address.', field: '/email' },
  last_admin:                  { status: 409, title: 'The last admin must stay', detail: 'This account is the last one with the role `admin`. Give the role to somebody else first.' },
  api_key_ended:               { status: 409, title: 'The API key has ended', detail: 'The API key was revoked or rotated, or it has expired. Use another key, or create one with `POST /vendor/api-keys`.' },
  cancellation_fee_changed:    { status: 409, title: 'The cancel costs more than the caller accepts' },
  invoice_not_issued:          { status: 409, title: 'The invoice has not been issued yet' },
  dispute_open:                { status: 409, title: 'The delivery has an open dispute', detail: 'The charge of this delivery is disputed already, and a delivery has one open dispute at a time.' },
  dispute_closed:              { status: 409, title: 'The dispute is no longer open' },
  refund_not_possible:         { status: 409, title: 'The delivery cannot be refunded' },
  proof_required:              { status: 409, title: 'The stop still needs proof' },
  proof_not_available:         { status: 409, title: 'The proof is not available yet', detail: 'The proof is available once the delivery is `delivered`.' },
  pin_locked:                  { status: 409, title: 'Too many wrong PINs were entered' },
  stale_version:               { status: 412, title: 'The object has changed since it was read' },
  payload_too_large:           { status: 413, title: 'The body is too large' },
  unsupported_media_type:      { status: 415, title: 'The body or a file has a type that is not accepted' },
  headers_too_large:           { status: 431, title: 'The headers are too large' },
  impossible_value:            { status: 422, title: 'A field has a value that is not possible here' },
  idempotency_key_reused:      { status: 422, title: 'The idempotency key was used for another request', detail: 'The `Idempotency-Key` was used with another body. Use a new key for a new request, and the same body for a retry.' },
  expired_quote:               { status: 422, title: 'The quote has expired', field: '/quote_id' },
  mismatched_price_quote:      { status: 422, title: 'The quote does not match the delivery', field: '/quote_id' },
  invalid_delivery_parameters: { status: 422, title: 'The delivery is not possible' },
  pickup_ready_too_late:       { status: 422, title: 'The pickup window starts more than 30 days ahead', field: '/pickup/window/ready_at' },
  window_too_late:             { status: 422, title: 'A window begins or ends more than 30 days ahead' },
  pickup_window_too_small:     { status: 422, title: 'The pickup window is shorter than 10 minutes', field: '/pickup/window/deadline_at' },
  pickup_deadline_too_early:   { status: 422, title: 'The pickup window has passed', field: '/pickup/window/deadline_at' },
  drop_off_window_too_small:   { status: 422, title: 'The drop-off window is shorter than 20 minutes' },
  drop_off_ready_after_pickup_deadline:     { status: 422, title: 'The drop-off window starts after the pickup window ends' },
  drop_off_deadline_before_pickup_deadline: { status: 422, title: 'The drop-off window ends before the pickup window does' },
  too_far_from_stop:           { status: 422, title: 'The courier is too far from the stop' },
  courier_position_unknown:    { status: 422, title: 'The position of the courier is unknown or too old' },
  contact_tries_missing:       { status: 422, title: 'The courier has not waited long enough or has not tried to reach the recipient' },
  too_many_zones:              { status: 422, title: 'The vendor location has the most zones', detail: 'A vendor location has at most 10 zones. Remove one first.' },
  too_many_pricing_rules:      { status: 422, title: 'The owner has the most pricing rules', detail: 'A vendor and the platform have at most 100 pricing rules each. End one first.' },
  too_many_top_ups:            { status: 422, title: 'The account has the most pending top-ups' },
  top_up_refused:              { status: 422, title: 'The payment gateway refuses the top-up', detail: 'The payment gateway does not take this payment. Nothing was paid. Try another amount or another gateway.' },
  no_gateway:                  { status: 422, title: 'No payment gateway serves this mode and currency' },
  too_many_disputes:           { status: 422, title: 'The account has too many open disputes' },
  refund_exceeds_charge:       { status: 422, title: 'The refunds would exceed the charge', field: '/amount' },
  refund_exceeds_top_up:       { status: 422, title: 'The refunds would exceed the top-up', field: '/amount' },
  webhook_url_not_allowed:     { status: 422, title: 'This address may not receive webhooks', field: '/url', passing: true },
  too_many_registrations:      { status: 422, title: 'The account has reached the limit of webhook registrations' },
  wrong_password:              { status: 422, title: 'The current password is wrong', detail: '`/current_password` must be the password of this account.', field: '/current_password' },
  too_many_api_keys:           { status: 422, title: 'The account has reached the limit of API keys' },
  pin_incorrect:               { status: 422, title: 'The PIN is wrong' },
  test_mode_only:              { status: 422, title: 'The field is allowed in test mode only', detail: '`/test_specifications` must be left out in live mode.', field: '/test_specifications' },
  file_not_accepted:           { status: 422, title: 'The file is damaged or not safe' },
  too_many_requests:           { status: 429, title: 'Too many requests', retryable: true, detail: 'The caller has sent more requests than the limit allows. Wait a moment before the next one.' },
  internal_error:              { status: 500, title: 'The server failed', retryable: true, detail: 'The server failed. The operator can find the cause in the log by `request_id`.' },
  gateway_unavailable:         { status: 503, title: 'The payment gateway does not answer', retryable: true, detail: 'The payment gateway did not answer in time. It may have made the payment. Send the same request again with the same `Idempotency-Key`.' },
  images_unavailable:          { status: 503, title: 'The server cannot take images', detail: 'This server runs without the library that cleans images (sharp). It takes PDF files only. Send a PDF, or ask the operator to install the library.' },
  map_changed:                 { status: 503, title: 'The file of the map has changed', detail: 'The file of the map was overwritten while the server ran. When the operator has restarted the server, reload the page.' },
  busy:                        { status: 503, title: 'The server is too busy', retryable: true, detail: 'The server could not answer in time. Send the same request again in a moment.' },
} as const satisfies Record<string, RefusalRow>;

export type RefusalRow = {
  readonly status: number;
  readonly title: string;
  readonly retryable?: true;
  readonly detail?: string;
  readonly field?: string;
  readonly passing?: true;
};

export type RefusalCode = keyof typeof REFUSALS;

/** The codes whose row contains the detail. */
export type PlainCode = {
  [C in RefusalCode]: (typeof REFUSALS)[C] extends { detail: string } ? C : never;
}[RefusalCode];

/** One invalid field of a request: its JSON pointer, a code for programs and a sentence for people. */
export type FieldError = { pointer: string; code: string; message: string };

/** RFC 9457 problem details, the same object over HTTP and sockets. */
export type Problem = {
  /** The path of the page that explains the code. It is resolved against the address of the server. */
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

/** The facts of a refusal. `detail` is a sentence that names the field, what was wrong and the limit. */
export type RefusalDetail = {
  detail?: string;
  reason?: string;
  errors?: FieldError[];
  metadata?: Record<string, unknown>;
};

export type Explained = RefusalDetail & { detail: string };

/** The refusal that a pure function returns: its code and its facts. */
export type No = ({ readonly code: PlainCode } & RefusalDetail) | ({ readonly code: RefusalCode } & Explained);

/** A refusal of this table. Any code may throw it, and the edges turn it into a `Problem`. */
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

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Lists words in a sentence: `a`, `b` or `c`. */
export function anyOf(words: readonly string[]): string {
  return OR.format(words.map((word) => `\`${word}\``));
}

/** Refuses a caller of the wrong kind. */
export function refuseCaller(kind: string, allowed: readonly string[]): Refusal {
  return new Refusal('forbidden', {
    detail: `Only callers of the kind ${anyOf(allowed)} may do this. This caller is of the kind \`${kind}\`.`,
  });
}

/**
 * Refuses one field that fits its schema. Its value is not possible for this caller, at this time or with what is stored.
 * @param rule the sentence after the name of the field, such as "must be later than `ready_at`"
 */
export function refuseField(pointer: string, code: string, rule: string): Refusal {
  const message = `\`${pointer}\` ${rule}.`;
  return new Refusal('impossible_value', { detail: message, errors: [{ pointer, code, message }] });
}
