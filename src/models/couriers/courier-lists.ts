import type { mongo as engine } from 'mongoose';
import { COURIER_STATES, VEHICLE_TYPES, type Courier } from '../../domain/couriers/courier.ts';
import { isId, type CourierId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { markOfCreated, pageOf, rowsAfter } from '../../engines/pages.ts';
import type { CourierFilter } from '../../ports/couriers.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import { AS_COURIER, COURIERS, COURIER_LISTS, findCourier, type CourierRow } from './courier-rows.ts';
import { readCourierSearch } from '../../domain/couriers/courier-terms.ts';

/** Newest first: an id made later sorts later. */
const BY_ID = { _id: -1 } as const;

/** Most couriers read for one page of a search. A page may have fewer items than its limit, and another page follow. */
const mostSifted = (limit: number): number => 4 * limit + 20;

/** Lists the couriers who are persons, newest first. */
export async function listCouriers(
  mongo: Mongo,
  { search, ...filter }: CourierFilter,
  page: PageRequest,
): Promise<Page<Courier>> {
  const { limit, after } = page;
  const rows = mongo.collection(COURIERS);
  if (search !== undefined) return searchCouriers(mongo, search.trim(), filter, page);
  const found = await rows
    .find<Courier>({ ...boundsOf(filter), ...rowsAfter(after, BY_ID) }, { ...AS_COURIER, hint: COURIER_LISTS.byFilter })
    .sort(BY_ID)
    .limit(limit + 1)
    .toArray();
  return pageOf(found, limit, markOfCreated);
}

/** Every field of the index is bounded, so that the database merges its ranges in the order of the list. */
function boundsOf({ liveMode, state, availability, vehicleType }: Omit<CourierFilter, 'search'>) {
  const anyOf = <T>(all: readonly T[], one: T | undefined) => ({ $in: one === undefined ? [...all] : [one] });
  return {
    kind: 'courier',
    liveMode: anyOf([true, false], liveMode),
    state: anyOf(COURIER_STATES, state),
    availability: anyOf(['online', 'offline'] as const, availability),
    vehicleType: anyOf(VEHICLE_TYPES, vehicleType),
  } satisfies engine.Filter<CourierRow>;
}

async function searchCouriers(
  mongo: Mongo,
  text: string,
  filter: Omit<CourierFilter, 'search'>,
  { limit, after }: PageRequest,
): Promise<Page<Courier>> {
  const fits = fitsOf(filter);
  if (isId('cou', text)) {
    const named = after === null ? await findCourier(mongo, text) : null;
    return { items: named !== null && fits(named) ? [named] : [], next: null };
  }
  const { terms, matches } = readCourierSearch(text);
  const most = mostSifted(limit);
  const found = await mongo
    .collection(COURIERS)
    .find<Courier>(
      { terms: { $in: [...terms] }, ...rowsAfter(after, BY_ID) },
      { ...AS_COURIER, hint: COURIER_LISTS.byTerm },
    )
    .sort(BY_ID)
    .limit(most + 1)
    .toArray();
  const read = found.slice(0, most);
  const meant = read.filter((courier) => fits(courier) && matches(courier));
  const items = meant.slice(0, limit);
  const last = meant.length > limit ? items.at(-1) : read.at(-1);
  return { items, next: meant.length > limit || found.length > most ? markOf(last) : null };
}

function fitsOf({ liveMode, state, availability, vehicleType }: Omit<CourierFilter, 'search'>) {
  return (courier: Courier): boolean =>
    courier.kind === 'courier' &&
    (liveMode === undefined || courier.liveMode === liveMode) &&
    (state === undefined || courier.state === state) &&
    (availability === undefined || courier.availability === availability) &&
    (vehicleType === undefined || courier.vehicleType === vehicleType);
}

function markOf(last: Courier | undefined): { readonly at: number; readonly id: CourierId } | null {
  return last === undefined ? null : { at: last.createdAt, id: last.id };
}
