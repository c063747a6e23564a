import type { State } from '../shared/wire.ts';

/** Every word of the console. */
export const WORDS = {
  title: 'Dispatch',
  login: {
    heading: 'Dispatch console',
    again: 'Your session has ended',
    againText: 'Log in again: what you were doing is still here.',
    email: 'Email',
    password: 'Password',
    submit: 'Log in',
    busy: 'Logging in…',
    wrong: 'Email or password is not right.',
    unreachable: 'The server cannot be reached. Check the connection and try again.',
  },
  logout: 'Log out',
  skip: 'Skip to the map',
  connecting: 'Connecting…',
  connectingAgain: (time: string) => `Connecting again… last seen ${time}`,
  live: 'Live',
  list: {
    heading: 'Open deliveries',
    search: 'Search',
    searchHint: 'Id, order or phone digits',
    filters: 'Show only',
    none: 'No open deliveries.',
    noneMatch: 'Nothing matches.',
    clear: 'Clear search and filters',
    since: (span: string) => `for ${span}`,
    cut: (count: string) => `The first ${count} are shown. Search to find others.`,
    to: 'to',
  },
  alarms: { heading: 'Alarms' },
  panes: { list: 'List', map: 'Map' },
  map: {
    label: 'Map of couriers and deliveries',
    missing: 'This browser cannot draw the map (WebGL is off). The lists work without it.',
    partial: 'Zoomed far out: only the middle of the map is live.',
    couriers: 'Couriers',
    demand: 'Couriers free … wanted',
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
    distance: 'Way',
    created: 'Created',
    searchUntil: 'Search ends',
    etaPickup: 'At the pickup',
    etaDropOff: 'At the drop-off',
    courier: 'Courier',
    stops: 'Stops',
    pickup: 'Pickup',
    expected: (at: string) => `expected ${at}`,
    dropOff: (count: number, of: number) => (of === 1 ? 'Drop-off' : `Drop-off ${count} of ${of}`),
    history: 'History',
    testMode: 'Test mode',
    isReturn: 'Return',
    track: "Recipient's page",
  },
  assign: {
    action: 'Assign',
    heading: 'Assign a courier',
    none: 'No courier is near and online. Wait, or ask one to go online.',
    reload: 'Look again',
    away: (distance: string, span: string) => `${distance}, ${span}`,
    load: (count: number) => (count === 0 ? 'free' : count === 1 ? 'carries 1' : `carries ${count}`),
    cost: (cost: string) => `cost ${cost}`,
    picked: 'Picked on the map',
    done: (name: string) => `Assigned to ${name}.`,
    to: (name: string) => `Assign to ${name}`,
  },
  unassign: {
    action: 'Unassign',
    heading: (name: string) => `Take it from ${name}?`,
    text: 'The search for another courier starts at once. No fee.',
    reason: 'Reason',
    confirm: 'Unassign',
    keep: 'Keep',
    done: 'Unassigned: searching again.',
    reasons: ['Courier asked for it', 'Courier cannot be reached', 'Courier is too late', 'Assigned by mistake'],
  },
  cancel: {
    action: 'Cancel delivery',
    heading: 'Cancel this delivery?',
    text: 'The delivery ends here. No fee is charged.',
    textCarried: 'The courier has it already: a return to the pickup starts. No fee is charged.',
    reason: 'Reason',
    confirm: 'Cancel delivery',
    keep: 'Keep it',
    done: 'Canceled.',
  },
  /** The kind of who did something. */
  by: (actor: string) => `by ${actor}`,
  override: (why: string) => `reason given: ${why}`,
  unknownError: 'That did not work. Try again.',
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

export const STAGE_WORDS: Record<string, string> = {
  offering: 'Asking a courier',
  en_route_to_pickup: 'On the way to the pickup',
  arrived_at_pickup: 'At the pickup',
  en_route_to_drop_off: 'On the way to the drop-off',
  arrived_at_drop_off: 'At the drop-off',
};

export const COURIER_WORDS = { idle: 'Idle', busy: 'Busy', stale: 'No fresh position' } as const;

export const ALARM_WORDS: Record<string, string> = {
  search_too_long: 'Searching too long',
  courier_silent: 'Courier silent',
  late: 'Late',
};

export const EVENT_WORDS: Record<string, string> = {
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
  'delivery.delayed': 'Pickup put off',
  'delivery.search_delayed': 'Search takes long',
};

export const ACTOR_WORDS: Record<string, string> = {
  vendor: 'vendor',
  staff: 'staff',
  internal: 'service',
  courier: 'courier',
  system: 'system',
};

export const STOP_WORDS: Record<string, string> = {
  pending: 'open',
  arrived: 'courier is there',
  delivered: 'done',
  failed: 'failed',
  canceled: 'canceled',
};

/** Reasons that are codes on the wire; others are shown as they were written. */
export const REASON_WORDS: Record<string, string> = {
  customer_request: 'Customer asked for it',
  duplicate: 'Ordered twice',
  wrong_address: 'Wrong address',
  item_unavailable: 'Item not available',
  not_ready: 'Not ready',
  courier_late: 'Courier too late',
  price: 'Price',
  other: 'Other',
  no_courier_available: 'No courier available',
  customer_unavailable: 'Nobody there',
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
] as const;

/** What a refusal means here and what to do about it; others are told in the server's own sentence. */
export const REFUSAL_WORDS: Record<string, string> = {
  already_assigned: 'Another courier holds this delivery by now. Unassign first to change the courier.',
  courier_unavailable: 'This courier cannot take it now. Choose another one.',
  'courier_unavailable/offline': 'This courier has gone offline. Choose another one.',
  'courier_unavailable/at_capacity': 'This courier has no room for another delivery. Choose another one.',
  'courier_unavailable/wrong_kind': 'This courier does not carry deliveries of this kind. Choose another one.',
  courier_not_verified: 'This courier is not active. Activate the profile first, or choose another one.',
  courier_not_found: 'There is no such courier for this delivery. Choose another one.',
  courier_excluded: 'This courier gave this delivery back. Choose another one.',
  invalid_state_transition: 'The delivery has moved on and no longer allows this. Look at its state above.',
  delivery_complete: 'The delivery has ended; nothing can be changed any more.',
  delivery_not_found: 'There is no such delivery.',
  forbidden: 'Your role does not allow this. Ask a dispatcher.',
  busy: 'Too much at once. Try again in a moment.',
  too_many_requests: 'Too many requests. Wait a moment and try again.',
};
