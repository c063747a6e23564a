import type { ReasonCode, TrackDelivery } from '../../src/realtime/protocol.ts';

/** Every word of the recipient's page. */
export const WORDS = {
  logo: (vendor: string) => `Logo of ${vendor}`,
  map: 'Map of your delivery',
  mapPart: 'Map',
  mapLack: {
    'no-webgl': 'This browser cannot show the map. Everything else is up to date.',
    'not-loaded': 'The map could not be loaded. Everything else is up to date.',
    'loading-again': 'The map is being loaded again…',
    again: 'Try again',
  },
  recentre: 'Show the whole route',
  courierAt: (name: string, distance: string) => `${name} is ${distance} away`,
  courierWasAt: (name: string, distance: string) => `${name} was ${distance} away`,
  courierMarker: (name: string) => `${name}, your courier`,
  positionAge: (ago: string) => `Position from ${ago}`,
  connectingAgain: (time: string) => `Reconnecting… last update ${time}`,
  arrivalUnknown: 'The arrival time is not known at the moment.',
  late: (span: string, why: string) => `Running ${span} late: ${why}`,
  putOff: (vendor: string, why: string) => `${vendor} needs more time: ${why}`,
  stopsBefore: (count: number) => (count === 1 ? '1 stop before you.' : `${count} stops before you.`),
  shownWhenNext: (name: string) => `The map shows ${name} when you are next.`,
  progress: 'Progress',
  instructions: 'Your instructions',
  pin: (pin: string) => `Your PIN is ${pin}`,
  pinUse: 'Tell it to the courier when they hand over your delivery, and not before.',
  ratingAsk: (name: string) => `How was ${name}?`,
  ratingComment: 'Anything to add? The courier does not see it.',
  ratingUntil: (time: string) => `You can rate until ${time}.`,
  ratingSend: 'Send rating',
  ratingThanks: 'Thank you for your rating',
  ratingChange: 'Change it',
  ratingFailed: 'Your rating was not sent. Please try again in a moment.',
  stars: (count: number) => (count === 1 ? '1 of 5 stars' : `${count} of 5 stars`),
  askVendor: (vendor: string) => `Questions? ${vendor} can help you.`,
  vehicles: { bicycle: 'bicycle', scooter: 'scooter', motorcycle: 'motorcycle', car: 'car', van: 'van' },
  byVehicle: (vehicle: string) => `By ${vehicle}`,
  done: 'done',
  current: 'next',
  open: 'not yet',
} as const;

/** Words for the stages of a delivery. */
export const STAGE_WORDS = {
  scheduled: 'Planned: we will find a courier in time',
  searching: 'Looking for a courier',
  toPickup: (name: string) => `${name} is going to collect it`,
  atPickup: (name: string) => `${name} is at the shop`,
  collected: (name: string) => `${name} has collected it`,
  canceled: 'Canceled',
  someone: 'Your courier',
  theCourier: 'the courier',
} as const;

export const STEP_WORDS = {
  ordered: 'Ordered',
  found: 'Courier found',
  collected: 'Collected',
  onTheWay: 'On the way',
  canceled: 'Canceled',
} as const;

type Place = { readonly icon: 'home' | 'shop'; readonly label: string };

type KindWords = {
  readonly title: (vendor: string) => string;
  /** The places on the map, each with its icon. */
  readonly start: (vendor: string) => Place;
  readonly end: (vendor: string) => Place;
  readonly arriving: (range: string) => string;
  readonly onTheWay: (name: string, vendor: string) => string;
  readonly here: (name: string, vendor: string) => string;
  readonly delivered: (time: string) => string;
  readonly deliveredOn: (day: string, time: string) => string;
  readonly failed: (reason: string) => string;
  readonly thanks: string | null;
  readonly summary: (span: string) => string;
  readonly steps: { readonly delivered: string; readonly failed: string };
};

const DELIVERY_WORDS: KindWords = {
  title: (vendor) => `Your delivery from ${vendor}`,
  start: (vendor) => ({ icon: 'shop', label: `Pickup: ${vendor}` }),
  end: () => ({ icon: 'home', label: 'Your address' }),
  arriving: (range) => `Arriving ${range}`,
  onTheWay: (name) => `${name} is on the way to you`,
  here: (name) => `${name} is here`,
  delivered: (time) => `Delivered at ${time}`,
  deliveredOn: (day, time) => `Delivered ${day} at ${time}`,
  failed: (reason) => `Could not be delivered: ${reason}`,
  thanks: 'Enjoy your delivery.',
  summary: (span) => `Delivered ${span} after the order`,
  steps: { delivered: 'Delivered', failed: 'Not delivered' },
};

const RETURN_WORDS: KindWords = {
  title: (vendor) => `Goods on the way back to ${vendor}`,
  start: () => ({ icon: 'home', label: 'Start of the way back' }),
  end: (vendor) => ({ icon: 'shop', label: vendor }),
  arriving: (range) => `Returning ${range}`,
  onTheWay: (name, vendor) => `${name} is on the way back to ${vendor}`,
  here: (name, vendor) => `${name} is at ${vendor}`,
  delivered: (time) => `Returned at ${time}`,
  deliveredOn: (day, time) => `Returned ${day} at ${time}`,
  failed: (reason) => `Could not be returned: ${reason}`,
  thanks: null,
  summary: (span) => `On the way back for ${span}`,
  steps: { delivered: 'Returned', failed: 'Not returned' },
};

/** The words that differ for a return. A server of an earlier release does not name the kind. */
export function kindWords({ kind }: Pick<TrackDelivery, 'kind'>): KindWords {
  return kind === 'return' ? RETURN_WORDS : DELIVERY_WORDS;
}

/** Words for the cause of a delay. */
export const LATE_WORDS = {
  searching: 'still looking for a courier',
  toPickup: 'the courier is still on the way to the shop',
  atPickup: 'waiting at the shop',
  onTheWay: 'the trip takes longer than expected',
} as const;

/** Words for the reasons of a failed or canceled delivery. Other reasons are not shown. */
export const REASON_WORDS: Readonly<Partial<Record<ReasonCode, string>>> = {
  customer_unavailable: 'nobody was there',
  customer_refused: 'it was not accepted',
  address_not_found: 'the address was not found',
  access_denied: 'the courier could not get in',
  damaged: 'it was damaged',
  lost: 'it was lost',
  unsafe: 'it was not safe to continue',
  id_check_failed: 'the ID could not be checked',
  pin_failed: 'the PIN was wrong',
  no_courier_available: 'No courier was free in time.',
  store_closed: 'The shop was closed.',
  customer_request: 'You asked us to cancel it.',
  duplicate: 'It was ordered twice.',
  wrong_address: 'The address was wrong.',
  item_unavailable: 'Something was not available.',
  not_ready: 'It was not ready in time.',
  courier_late: 'The courier came too late.',
};

export const FAILED_WITHOUT_REASON = 'something went wrong';
