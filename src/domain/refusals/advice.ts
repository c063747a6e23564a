// one table
import type { RefusalCode } from './refusals.ts';

/** For each code: when a caller meets it and how they go on. The page of the code shows it. */
export const ADVICE: Readonly<Record<RefusalCode, string>> = {
  malformed_body: 'The body is not JSON, or the form is not a form. Check that the body is complete and in UTF-8.',
  malformed_request:
    'The request breaks the rules of HTTP, so it has no route. Use an HTTP library instead of writing requests by hand.',
  invalid_params:
    '`errors` lists each invalid field with its pointer and its limit. Correct all of them, then send the request again.',
  impossible_value:
    'The request fits its schema, but a value is not possible: for this caller, now, or together with another field. `errors` names the field and the rule.',
  unknown_field:
    'A field is misspelled, or it belongs to another request. Correct the fields that `errors` names. The server refuses them so that nothing is lost in silence.',
  unauthorized:
    'Send `Authorization: Bearer …` with an API key or an access token. If a key was revoked or has ended, create another one.',
  token_expired:
    'Exchange the refresh token with `POST /auth/token`, then send the request again with the new access token.',
  otp_invalid:
    'Ask the courier for the newest code. After five wrong codes they must request another one with `POST /auth/otp`.',
  insufficient_funds:
    'The wallet has less available than this needs. Add money to the wallet, then send the request again.',
  wallet_frozen:
    'Ask the operator of the service why the wallet is frozen. Open deliveries go on, so do not send them again.',
  insufficient_scope:
    'The key is valid, but it was made without this scope. Create a key with the scope that `detail` names.',
  vendor_suspended:
    'Ask the operator of the service why the account is suspended. Open deliveries go on, so do not send them again.',
  forbidden: 'This kind of caller or role may not use the operation. Use another credential. A retry does not help.',
  route_not_found: 'The path is misspelled, or the method belongs to another path. The reference lists all paths.',
  delivery_not_found:
    'The id is wrong, or the delivery belongs to another account or mode. Check that a test key is not used for a live delivery.',
  stop_not_found: 'Stops count from 0 for the pickup, and drop-offs from 1. Read the delivery to see its stops.',
  quote_not_found: 'The quote belongs to another account or mode, or it was removed. Ask for a new quote.',
  courier_not_found: 'The id is wrong, or the caller may not see this courier.',
  document_not_found: 'Check the id. A courier reaches only their own documents.',
  device_not_found:
    'List the devices of the courier with `GET /couriers/{id}/devices`. A device ends with its session and is replaced by the sixth one.',
  offer_not_found: 'The offer belongs to another courier, or it was closed long ago. Remove it from the screen.',
  transaction_not_found:
    'The id is wrong, or the transaction belongs to another account or mode. List transactions with `GET /billing/transactions`.',
  invoice_not_found:
    'The id is wrong, or it belongs to another account or mode. A month without charges has no invoice, and a delivery without a charge has no receipt.',
  vendor_not_found: 'The id is wrong, or the caller may not act for this vendor. Vendors leave `vendor_id` out.',
  location_not_found: 'The location belongs to another vendor, or it does not exist. List your locations first.',
  zone_not_found: 'List the zones with `GET /vendor/coverage`, and send the id of one of them.',
  suspense_not_found: 'The id is wrong. `GET /wallets/suspense` lists all money in suspense.',
  suspense_not_open:
    'Somebody else has decided, or nobody has decided yet and there is nothing to approve. `metadata` has the status.',
  top_up_refund_not_found: 'The id is wrong. `GET /wallets/refunds` lists all refunds of top-ups.',
  top_up_refund_not_open: 'The gateway has answered by now, or somebody else has ended it. `metadata` has its status.',
  top_up_not_refundable: '`detail` says why. `GET /wallets/refunds?top_up_id=` lists the refunds that the top-up has.',
  refund_exceeds_top_up: '`metadata.refundable` is what is left of the top-up.',
  adjustment_not_found: 'The id is wrong. `GET /wallets/adjustments` lists all adjustments.',
  adjustment_not_open: 'Somebody has approved or rejected it. `metadata` has the status.',
  top_up_not_found: 'The id is wrong, or the top-up belongs to another account or mode.',
  pricing_rule_not_found:
    'List the rules with `GET /vendor/pricing-rules?state=all`. Name the vendor of the rule in `vendor_id`.',
  settlement_not_found:
    'The id is wrong, or it belongs to another account or mode. `GET /settlement/vendors` lists the settlements.',
  settlement_not_open: 'Somebody else has approved the settlement, or it needs no approval. `metadata` has its status.',
  payout_not_found: 'The id is wrong. `GET /payouts` lists all payouts.',
  payout_not_open:
    'Somebody else has approved, declined or ended the payout, or it was canceled because nobody approved it in time. `metadata` has its status.',
  order_not_found: 'The order id in the path must be 1 to 64 characters of letters, digits and `. _ ~ -`.',
  webhook_not_found: 'The webhook belongs to another account or mode, or it was removed. List the webhooks first.',
  event_not_found: 'The event belongs to another account or mode, or it was removed. List the events first.',
  api_key_not_found: 'The key belongs to another account, or it does not exist. List the keys of the account first.',
  session_not_found: 'The session has ended, or it belongs to another account. List the sessions of the account first.',
  staff_not_found: 'The id is wrong, or the account was removed. List the members of staff first.',
  rating_not_possible: '`detail` says why. A rating needs a delivery that has ended and had a courier.',
  document_decided:
    'Read the document again: another reviewer was faster, or the courier sent a newer one. `metadata.status` is its present status.',
  webhook_disabled: 'The receiver answered 410, or the vendor disabled the webhook. Enable it, and then replay.',
  webhook_secret_overlap:
    'The secret was rotated before. Send that rotation again with its `Idempotency-Key`, wait for its end, or end all earlier secrets.',
  duplicate_staff: 'A member of staff has this address already. Change that account, or use another address.',
  last_admin: 'Give the role `admin` to another account first. Otherwise nobody could manage the staff.',
  wrong_password: 'Enter the password that the account has now. An admin can reset it if it is lost.',
  tracking_link_not_found: 'The link is incomplete. Copy the whole URL from the answer.',
  tracking_link_expired:
    'A link ends 2 hours after the delivery, and after 72 hours at the latest. Read the delivery itself instead.',
  history_expired:
    'Events are removed some time after a delivery has ended. `GET /deliveries/{id}` still has its times.',
  slow_body: 'The body must arrive within 10 seconds. Send it again over a better connection, or in a smaller form.',
  slow_request: 'The head of the request must arrive within 10 seconds. Send the request again.',
  file_not_found: 'The link to the file is incomplete, or the file was removed. Ask the API for a new link.',
  file_link_expired: 'Links to files live only a short time. Read the object again to get a new link.',
  method_not_allowed: '`Allow` lists the methods of this path. Use one of them.',
  invalid_state_transition:
    'The delivery has moved on. `metadata` names the present state and the actions that are allowed now. Read the delivery before the next try.',
  cancellation_fee_changed:
    'The fee has risen since you read it. `metadata` has the present fee. Send the cancel with a higher `accept_fee`, or without it.',
  dispute_not_found: 'The id is wrong, or the dispute belongs to another account or mode. List your disputes first.',
  dispute_open:
    '`metadata.dispute_id` names the open dispute. Wait for its decision, or withdraw it before you raise another one.',
  dispute_closed: 'The dispute was decided or withdrawn. `metadata.status` is its present status.',
  too_many_disputes: 'Wait until some of the open disputes are decided, or withdraw some of them.',
  refund_not_possible:
    '`reason` says why: nothing was charged, all of it was refunded, the delivery already has 20 refunds, or it ended too long ago. An operator can still adjust the wallet.',
  refund_exceeds_charge:
    '`metadata` has what was charged, what was refunded, and what is left. Send at most what is left, or leave `amount` out for all of it.',
  duplicate_delivery:
    '`metadata.delivery_id` names the delivery that already has this id. Use that delivery, or send another id for a new one.',
  duplicate_courier: '`metadata.courier_id` names the courier with this phone. Use that profile.',
  subsidized_quote: 'A quote has one subsidy. Ask for a new quote, and apply the other subsidy to it.',
  used_quote: 'A quote is good for one delivery. Ask for a new quote.',
  already_assigned:
    '`metadata.courier_id` names the present courier. Unassign them first if another courier must take over.',
  courier_unavailable: 'The courier is offline, has no room, or may not carry this delivery. Choose another courier.',
  courier_not_verified:
    'The profile is pending or suspended. `metadata.missing_documents` lists the documents that the courier must still send with `POST /couriers/{id}/documents`. Without that list, staff must activate the profile.',
  courier_not_assigned: 'Wait for the event `courier.assigned`, then ask again.',
  courier_excluded: 'The courier gave this delivery back. Choose another one; staff may still assign them.',
  robo_courier_required: 'Create the delivery with a test key and with `test_specifications`, then advance it.',
  offer_expired: 'The courier answered too late. Remove the offer from the screen and wait for the next one.',
  offer_taken: 'The offer was withdrawn or has been answered. Remove it from the screen.',
  delivery_complete: 'The delivery has ended, so nothing about it can change. Create a new delivery.',
  update_not_allowed: 'The field cannot change like this now. `reason` says why.',
  too_many_releases: 'The delivery was given back five times. Only staff may unassign its courier now.',
  not_late_enough:
    'A vendor may ask for another courier ten minutes after the ready time and the assignment. Wait until then. With the `reason` `courier_arrived`, the courier arrived less than ten minutes late, and only staff can assign another.',
  stop_not_open: 'This stop has ended already. Read the delivery to see which stops are open.',
  idempotency_in_progress:
    'An equal request is still running. Wait a second, then send the same request with the same key.',
  api_key_ended: 'The key was revoked or has expired, so it cannot be changed. Create another key.',
  proof_required:
    'The vendor requires proof at this stop. Record the parts in `metadata.missing`, then send the action again.',
  proof_not_available:
    'A vendor can read the proof once the delivery is `delivered`. Wait for that event, then request it.',
  pin_locked: 'Five wrong PINs were entered at the stop. Ask staff, who can end the stop with an `override_reason`.',
  invoice_not_issued:
    'The month is not over, or its invoice is still to be made. `metadata.issued_from` says from when the server issues it. Ask again then.',
  stale_version:
    'Somebody changed the delivery after your read. Read it again, decide again, then send the new `ETag` as `If-Match`.',
  payload_too_large: '`detail` names the limit. Send less, or split the request.',
  unsupported_media_type:
    'Send JSON as `Content-Type: application/json`. Files must have one of the types that `detail` names.',
  headers_too_large:
    'All headers together are too large. Remove cookies and other headers that the server does not need.',
  idempotency_secret_lost:
    'Look whether the object exists. If so, replace its secret, or remove the object. Then send the request with a new key.',
  idempotency_key_reused: 'A key belongs to one request. Use a new key for other content.',
  expired_quote: 'Ask for a new quote, show its price, then create the delivery with it.',
  mismatched_price_quote:
    'Places, priority, goods and the first vehicle must be the same as in the quote. Ask for a new quote for the changed delivery.',
  invalid_delivery_parameters:
    '`reason` and `detail` say which limit the delivery breaks, such as the length of its route. Change it, or tell your customer.',
  pickup_ready_too_late: 'Choose a pickup within the next 30 days.',
  window_too_late: 'Choose windows within the next 30 days.',
  pickup_window_too_small: 'Leave at least 10 minutes between `ready_at` and `deadline_at` of the pickup.',
  pickup_deadline_too_early: 'Choose a pickup window that has not passed.',
  drop_off_window_too_small: 'Leave at least 20 minutes between the two ends of the drop-off window.',
  drop_off_ready_after_pickup_deadline: 'Let the drop-off window begin before the pickup window ends.',
  drop_off_deadline_before_pickup_deadline: 'Let the drop-off window end after the pickup window.',
  too_far_from_stop: 'The courier must be within 300 m of the stop. If the map is wrong, they send `override_reason`.',
  courier_position_unknown: 'The phone must send a position first. If it cannot, the courier sends `override_reason`.',
  contact_tries_missing:
    'The courier waits five minutes and tries twice to reach the recipient. Then the stop may fail.',
  webhook_url_not_allowed: 'The address must be reachable from the public internet, over https in live mode.',
  too_many_registrations: 'Remove a registration that you no longer need, then register the new one.',
  too_many_api_keys: 'Revoke a key that you no longer need, then create the new one.',
  too_many_zones: 'Remove a zone, or join several zones in one MultiPolygon.',
  too_many_top_ups: 'Send the payers to the pages of the pending top-ups, or wait until those expire.',
  top_up_refused: 'The gateway will not take this payment. Choose another amount, or name another gateway.',
  no_gateway:
    'The operator must connect a payment gateway for this mode and currency. In test mode the sandbox is always there.',
  too_many_pricing_rules: 'End a rule that is no longer needed. A new rule takes its place.',
  test_mode_only: 'Leave the field out, or use a test key.',
  pin_incorrect: 'Ask the recipient for the PIN on their page, and enter it again. `metadata.tries_left` counts down.',
  file_not_accepted: 'The file is damaged, has too many pixels, or is not what its name says. Take the photo again.',
  too_many_requests:
    'Wait as long as `Retry-After` says. Spread requests over time, and use webhooks instead of polling.',
  internal_error:
    'The server failed. A retry with the same `Idempotency-Key` is safe. If it fails again, send us the `request_id`.',
  gateway_unavailable:
    'The gateway is slow or away. Send the same request again with the same `Idempotency-Key`, so that only one payment exists.',
  map_changed: 'The operator must restart the server. A reload of the page then shows the new map.',
  images_unavailable: 'This server cannot process images. The operator must install its image library.',
  busy: 'The server could not answer in time, and the request may have been carried out. Repeat it with the same `Idempotency-Key` after `Retry-After`.',
};
