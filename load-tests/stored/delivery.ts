// A delivery as the server stores it at its birth, for databases that are filled without the API.
import { preparationAtBirth, timesAtBirth, type Delivery } from '../../src/domain/deliveries/delivery.ts';
import type { Stop } from '../../src/domain/deliveries/stops/stop.ts';
import type { Coordinates } from '../../src/domain/geo/geo.ts';
import { newId } from '../../src/domain/ids.ts';

/** The fields that every caller chooses; all others have a default. */
type Chosen = Pick<Delivery, 'vendorId' | 'pickup' | 'dropOffs' | 'region' | 'links' | 'searchFromAt'> &
  Partial<Delivery> & { readonly bornAt: number; readonly searchLimitMs: number };

/** A new express delivery that waits for a courier. */
export function aStoredDelivery({ bornAt, ...chosen }: Chosen): Delivery {
  const { pickup, searchFromAt, searchLimitMs } = chosen;
  return {
    id: newId('del'),
    kind: 'delivery',
    liveMode: false,
    channel: 'express',
    externalId: null,
    contentHash: 'bench',
    state: 'searching',
    stage: null,
    version: 1,
    sequence: 1,
    madeBy: { verb: 'create', stop: null, actor: { type: 'vendor', id: null } },
    priority: 'express',
    preparation: preparationAtBirth(pickup.window, null),
    metadata: {},
    vehicleTypes: [],
    custom: {},
    quoteId: null,
    fee: 450,
    currency: 'EUR',
    feeBreakdown: [{ type: 'base', amount: 450 }],
    distanceM: 2000,
    durationS: 400,
    searchCountsFromAt: searchFromAt,
    searchUntilAt: searchFromAt + searchLimitMs,
    courierId: null,
    courier: null,
    formerCouriers: [],
    robo: null,
    related: [],
    outcome: null,
    ending: null,
    times: { ...timesAtBirth(bornAt), searchingAt: bornAt },
    ...chosen,
  };
}

/** A stop that nobody has reached yet. Number 0 is the pickup. */
export function aStoredStop(index: number, place: Coordinates, chosen: Partial<Stop> = {}): Stop {
  return {
    index,
    visit: index,
    place,
    address: `${index} Long Street`,
    contact: { name: 'Ada Lovelace', phone: '+4930123456' },
    instructions: null,
    window: null,
    externalId: null,
    undeliverableAction: 'return',
    state: 'pending',
    arrivedAt: null,
    doneAt: null,
    reason: null,
    ...chosen,
  };
}
