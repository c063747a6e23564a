/** The words of a delivery's life. `lifecycle.ts` says how they follow each other. */
export const STATES = [
  'scheduled',
  'searching',
  'assigned',
  'picked_up',
  'in_transit',
  'delivered',
  'canceled',
  'failed',
] as const;
export type State = (typeof STATES)[number];

export const VERBS = [
  'create',
  'schedule',
  'start_search',
  'assign',
  'unassign',
  'arrive_pickup',
  'pick_up',
  'depart',
  'arrive_drop_off',
  'deliver',
  'fail',
  'cancel',
  'open_return',
] as const;
export type Verb = (typeof VERBS)[number];

export const ACTOR_TYPES = ['vendor', 'staff', 'internal', 'courier', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

export const STAGES = [
  'en_route_to_pickup',
  'arrived_at_pickup',
  'en_route_to_drop_off',
  'arrived_at_drop_off',
] as const;
export type Stage = (typeof STAGES)[number];

export const CANCEL_REASONS = [
  'customer_request',
  'duplicate',
  'wrong_address',
  'item_unavailable',
  'not_ready',
  'courier_late',
  'price',
  'other',
] as const;

/** Reasons that only staff may name, besides those above. */
export const STAFF_REASONS = ['store_closed'] as const;
/** Reasons that only the server itself names. */
const SYSTEM_REASONS = ['no_courier_available', 'test_expired'] as const;

export type CancelReason =
  | (typeof CANCEL_REASONS)[number]
  | (typeof STAFF_REASONS)[number]
  | (typeof SYSTEM_REASONS)[number];

/** The reasons that each kind of actor may name for a cancel. Other kinds cannot cancel. */
export const CANCEL_REASONS_OF: Readonly<Record<ActorType, readonly CancelReason[]>> = {
  vendor: CANCEL_REASONS,
  staff: [...CANCEL_REASONS, ...STAFF_REASONS],
  system: SYSTEM_REASONS,
  internal: [],
  courier: [],
};

export const FAIL_REASONS = [
  'customer_unavailable',
  'customer_refused',
  'address_not_found',
  'access_denied',
  'damaged',
  'lost',
  'unsafe',
  'id_check_failed',
  'pin_failed',
] as const;
export type FailReason = (typeof FAIL_REASONS)[number];

/** The facts on which an expected arrival can rest. */
export const ETA_REASONS = ['no_courier', 'no_position', 'old_position', 'not_ready', 'window', 'position'] as const;
export type EtaReason = (typeof ETA_REASONS)[number];

/** How a delivery of test mode goes that a robo-courier carries. */
export const ROBO_OUTCOMES = ['delivered', 'failed', 'canceled_by_courier', 'no_courier', 'courier_lost'] as const;
export type RoboOutcome = (typeof ROBO_OUTCOMES)[number];

/** The steps of a robo-courier, by what ends them. */
export const ROBO_STEPS = [
  'assigned',
  'arrived_at_pickup',
  'picked_up',
  'in_transit',
  'arrived_at_drop_off',
  'delivered',
] as const;
export type RoboStep = (typeof ROBO_STEPS)[number];
