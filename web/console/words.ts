import type { AlarmView, ReasonCode } from '../../src/realtime/protocol.ts';
import type { DeliveryView, Problem, State, StopView, WireEvent } from '../shared/wire.ts';

/** Every word of the console. */
export const WORDS = {
  title: 'Dispatch',
  login: {
    heading: 'Dispatch console',
    again: 'Your session has ended',
    againText: 'Log in again to continue where you were.',
    email: 'Email',
    password: 'Password',
    submit: 'Log in',
    busy: 'Logging in…',
    wrong: 'The email or the password is wrong.',
    unreachable: 'The server cannot be reached. Check the connection and try again.',
  },
  logout: 'Log out',
  skip: 'Skip to the map',
  connecting: 'Connecting…',
  connectingAgain: (time: string) => `Reconnecting… last update ${time}`,
  live: 'Live',
  list: {
    heading: 'Open deliveries',
    search: 'Search',
    searchHint: 'Id, order or last digits of a phone',
    filters: 'Show only',
    none: 'There are no open deliveries.',
    noneMatch: 'No delivery matches.',
    clear: 'Clear search and filters',
    since: (span: string) => `for ${span}`,
    cut: (count: string) => `The first ${count} are shown. Search to find others.`,
    to: 'to',
  },
  alarms: { heading: 'Alarms' },
  panes: { list: 'List', map: 'Map' },
  map: {
    label: 'Map of couriers and deliveries',
    missing: 'This browser cannot show the map because WebGL is off. The lists work without it.',
    partial: 'Only the middle of the map is live. Zoom in to see all of it.',
    couriers: 'Couriers',
    demand: 'Couriers: free … needed',
    fit: 'Show all open deliveries',
    pick: 'Pick a courier on the map or in the list.',
  },
  courier: {
    unnamed: (id: string) => `Courier …${id}`,
    seen: (ago: string) => `Position from ${ago}`,
    open: 'Open the delivery',
    close: 'Close',
  },
  detail: {
    close: 'Close',
    loading: 'Loading…',
    order: 'Order',
    id: 'Id',
    fee: 'Fee',
    distance: 'Distance',
    created: 'Created',
    searchUntil: 'Search ends',
    etaPickup: 'Expected at the pickup',
    etaDropOff: 'Expected at the drop-off',
    courier: 'Courier',
    stops: 'Stops',
    pickup: 'Pickup',
    expected: (at: string) => `expected ${at}`,
    dropOff: (count: number, of: number) => (of === 1 ? 'Drop-off' : `Drop-off ${count} of ${of}`),
    history: 'History',
    testMode: 'Test mode',
    isReturn: 'Return',
    track: "Recipient's page",
    proof: {
      heading: 'Proof of this stop',
      given: 'done',
      missing: 'missing',
      photos: (count: number) => (count > 1 ? `${count} photos` : 'Photo'),
      photo: (number: number) => `Photo ${number}`,
      signature: (by: string) => (by === '' ? 'Signature' : `Signature of ${by}`),
      signaturePicture: 'Signature',
      pin: (pin: string | null) => (pin === null ? 'PIN' : `PIN ${pin}`),
      barcode: (value: string) => `Barcode ${value}`,
      age: (years: number) => `Age of ${years} or more`,
    },
  },
  assign: {
    action: 'Assign',
    heading: 'Assign a courier',
    none: 'No online courier is near. Wait, or ask a courier to go online.',
    reload: 'Search again',
    away: (distance: string, span: string) => `${distance}, ${span}`,
    load: (count: number) => (count === 0 ? 'free' : count === 1 ? 'carries 1' : `carries ${count}`),
    cost: (cost: string) => `cost ${cost}`,
    picked: 'Picked on the map',
    done: (name: string) => `Assigned to ${name}.`,
    to: (name: string) => `Assign to ${name}`,
  },
  unassign: {
    action: 'Unassign',
    heading: (name: string) => `Unassign ${name}?`,
    text: 'The search for another courier starts at once. No fee is charged.',
    reason: 'Reason',
    confirm: 'Unassign',
    keep: 'Keep',
    done: 'Unassigned. The search has started again.',
    reasons: ['Courier requested it', 'Courier cannot be reached', 'Courier is too late', 'Assigned by mistake'],
  },
  cancel: {
    action: 'Cancel delivery',
    heading: 'Cancel this delivery?',
    text: 'The delivery ends here. No fee is charged.',
    textCarried: 'The courier already has the goods and will return them to the pickup. No fee is charged.',
    reason: 'Reason',
    confirm: 'Cancel delivery',
    keep: 'Keep it',
    done: 'Canceled.',
  },
  /** The kind of caller who did something. */
  by: (actor: string) => `by ${actor}`,
  override: (why: string) => `override: ${why}`,
  unknownError: 'The action failed. Try again.',
  unanswered: 'The server did not answer. Check the connection and try again.',
} as const;

export const STATE_WORDS: Record<State, string> = {
  scheduled: 'Scheduled',
  searching: 'Searching',
  assigned: 'Assigned',
  picked_up: 'Picked up',
  in_transit: 'In transit',
  delivered: 'Delivered',
  canceled: 'Canceled',
  failed: 'Failed',
};

export const STAGE_WORDS: Record<NonNullable<DeliveryView['stage']>, string> = {
  offering: 'Offered to a courier',
  en_route_to_pickup: 'On the way to the pickup',
  arrived_at_pickup: 'At the pickup',
  en_route_to_drop_off: 'On the way to the drop-off',
  arrived_at_drop_off: 'At the drop-off',
};

export const COURIER_WORDS = { idle: 'Idle', busy: 'Busy', stale: 'No recent position' } as const;

export const ALARM_WORDS: Record<AlarmView['kind'], string> = {
  search_too_long: 'Searching too long',
  courier_silent: 'Courier silent',
  late: 'Late',
};

export const EVENT_WORDS: Record<WireEvent['type'], string> = {
  'delivery.created': 'Created',
  'delivery.searching': 'Search started',
  'courier.assigned': 'Courier assigned',
  'courier.unassigned': 'Courier unassigned',
  'courier.arrived_pickup': 'Courier at the pickup',
  picked_up: 'Picked up',
  in_transit: 'In transit',
  'courier.arrived_drop_off': 'Courier at the drop-off',
  'drop_off.delivered': 'Stop delivered',
  'drop_off.failed': 'Stop failed',
  delivered: 'Delivered',
  'delivery.failed': 'Failed',
  canceled: 'Canceled',
  'delivery.updated': 'Details changed',
  'delivery.ready': 'Goods ready',
  'delivery.delayed': 'Pickup delayed',
  'delivery.search_delayed': 'Search is taking long',
};

export const ACTOR_WORDS: Record<NonNullable<WireEvent['data']['actor']>['type'], string> = {
  vendor: 'vendor',
  staff: 'staff',
  internal: 'service',
  courier: 'courier',
  system: 'system',
};

export const STOP_WORDS: Record<StopView['status'], string> = {
  pending: 'open',
  arrived: 'courier has arrived',
  delivered: 'done',
  failed: 'failed',
  canceled: 'canceled',
};

/** Words for the reasons that are codes. Other reasons are shown as a person wrote them. */
export const REASON_WORDS: Record<ReasonCode, string> = {
  customer_request: 'Requested by the customer',
  duplicate: 'Ordered twice',
  wrong_address: 'Wrong address',
  item_unavailable: 'Item not available',
  not_ready: 'Not ready',
  courier_late: 'Courier too late',
  price: 'Price',
  other: 'Other',
  store_closed: 'Store closed',
  no_courier_available: 'No courier available',
  test_expired: 'Test ended by itself',
  customer_unavailable: 'Recipient not there',
  customer_refused: 'Refused by the recipient',
  address_not_found: 'Address not found',
  access_denied: 'No access',
  damaged: 'Damaged',
  lost: 'Lost',
  unsafe: 'Not safe',
  id_check_failed: 'ID check failed',
  pin_failed: 'Wrong PIN',
};

export const CANCEL_REASONS = [
  'customer_request',
  'duplicate',
  'wrong_address',
  'item_unavailable',
  'not_ready',
  'courier_late',
  'other',
] as const satisfies readonly ReasonCode[];

/** The meaning of a refusal in the console, and what to do. Other refusals are shown in the server's sentence. */
export const REFUSAL_WORDS: Partial<Record<Problem['code'] | `${Problem['code']}/${string}`, string>> = {
  already_assigned: 'Another courier is assigned already. To change the courier, unassign them first.',
  courier_unavailable: 'This courier cannot take it now. Choose another one.',
  'courier_unavailable/offline': 'This courier has gone offline. Choose another one.',
  'courier_unavailable/at_capacity': 'This courier cannot carry another delivery. Choose another one.',
  'courier_unavailable/wrong_kind': 'This courier does not carry deliveries of this kind. Choose another one.',
  courier_not_verified: 'This courier is not active. Activate the profile first, or choose another one.',
  courier_not_found: 'This courier does not exist. Choose another one.',
  courier_excluded: 'This courier gave this delivery back. Choose another one.',
  invalid_state_transition: 'The state of the delivery no longer allows this. See its state above.',
  delivery_complete: 'The delivery has ended and can no longer be changed.',
  delivery_not_found: 'This delivery does not exist.',
  forbidden: 'Your role does not allow this. Ask a dispatcher.',
  busy: 'The server is too busy. Try again in a moment.',
  too_many_requests: 'Too many requests. Wait a moment and try again.',
};
