// one table
import type { CourierDocument, RejectReason } from '../couriers/document.ts';
import type { DropReason } from '../couriers/position.ts';
import type { CancelReason, FailReason } from '../deliveries/states.ts';
import type { GoneReason } from '../offers/offer.ts';

/** The meaning of each code of a reason. */
export type ReasonWords<Code extends string = string> = Readonly<Record<Code, string>>;

/** The description of a field whose value is one of these codes. It explains each of them, or those that are named. */
export function explainCodes(field: string, words: ReasonWords, codes: readonly string[] = Object.keys(words)): string {
  return [field, ...codes.map((code) => `\`${code}\`: ${words[code] ?? ''}`)].join('. ');
}

export const CANCEL_WORDS: ReasonWords<CancelReason> = {
  customer_request: 'the customer does not want the goods any more',
  duplicate: 'the same order exists twice',
  wrong_address: 'an address is wrong',
  item_unavailable: 'the vendor does not have the goods',
  not_ready: 'the goods are not ready in time',
  courier_late: 'the courier is late',
  price: 'the delivery costs too much',
  other: 'another reason, which a comment can name',
  store_closed: 'the pickup location is closed. Only staff name this reason',
  no_courier_available: 'the search has ended without a courier. Only the server names this reason',
  test_expired: 'a test had no event for too long. Only the server names this reason',
};

export const FAIL_WORDS: ReasonWords<FailReason> = {
  customer_unavailable: 'nobody is there or answers',
  customer_refused: 'the recipient does not take the goods',
  address_not_found: 'the courier cannot find the place',
  access_denied: 'the courier cannot get in, or the place is closed',
  damaged: 'the goods are damaged',
  lost: 'the goods are lost',
  unsafe: 'the place is not safe for the courier',
  id_check_failed: 'the recipient cannot prove their identity or age',
  pin_failed: 'the recipient does not know the PIN',
};

export const DROP_WORDS: ReasonWords<DropReason> = {
  out_of_range: 'the place does not exist, or is 0, 0. Swapped latitude and longitude can give this reason',
  from_the_future: 'the time of the fix is over 5 s ahead of the server',
  too_old: 'the fix is over 30 min old. A time in seconds gives this reason',
  out_of_order: 'the number or the time of the fix is not higher than that of an earlier one',
  inaccurate: 'the accuracy is worse than 100 m',
  suspect: 'the fix makes a jump that no vehicle can make, as swapped coordinates can',
  too_many: 'the message came too soon after the one before',
};

export const GONE_WORDS: ReasonWords<GoneReason> = {
  taken: 'another courier has the delivery',
  canceled: 'the delivery was canceled',
  assigned_by_hand: 'a dispatcher assigned the delivery, or another delivery to this courier',
  courier_offline: 'this courier went offline',
  wrong_vehicle: 'the goods do not fit the present vehicle of this courier',
  search_ended: 'the search ended without a courier',
  delayed: 'the goods will be ready much later, and the delivery may be offered again',
  better_match: 'another courier is a much better match',
  expired: 'the courier did not answer in time',
};

export const REJECT_WORDS: ReasonWords<RejectReason> = {
  unreadable: 'the picture cannot be read',
  wrong_document: 'it is a document of another type',
  name_mismatch: 'it is in the name of another person',
  expired: 'it is not valid any more',
  not_genuine: 'it does not look genuine',
  other: 'another reason, which the comment can name',
};

export const CLOSING_WORDS: ReasonWords<CourierDocument['reason'] & string> = {
  ...REJECT_WORDS,
  replaced: 'the courier sent a newer one before the decision',
};
