import type { mongo } from 'mongoose';
import { ENDED_STATES, leavesFrom, OPEN_STATES, STATES_WITH_COURIER } from '../../domain/deliveries/lifecycle.ts';
import type { Duty } from '../../domain/deliveries/due.ts';
import type { State } from '../../domain/deliveries/states.ts';

/** The states in which a delivery can be due. The index of a duty contains only these deliveries. */
export const DUE_STATES: Readonly<Record<Duty, readonly State[]>> = {
  search: OPEN_STATES.filter((state) => leavesFrom(state, 'start_search') || leavesFrom(state, 'assign')),
  late: OPEN_STATES,
  expire: OPEN_STATES,
  forget: ENDED_STATES,
};

/** The other fields by which the index of a duty is limited. */
export const DUE_ONLY: Readonly<Record<Duty, { readonly liveMode?: boolean }>> = {
  search: {},
  late: {},
  expire: { liveMode: false },
  forget: {},
};

/** The order of lists and their pages: newest first. */
export const NEWEST_FIRST = { 'times.createdAt': -1, _id: -1 } as const;
/** The order by last change, latest first. */
export const LATEST_FIRST = { 'times.updatedAt': -1, _id: -1 } as const;

/**
 * The keys of the indexes of lists. The fields of filters come before the order. A query names all of these fields,
 * with one value or all possible values. The database then merges a few ordered scans and reads only the page's rows.
 * Queries hint their index, because the planner would choose one by the last caller's filter.
 */
export const LISTS = {
  ofVendor: { vendorId: 1, liveMode: 1, channel: 1, ...NEWEST_FIRST },
  ofVendorByState: { vendorId: 1, liveMode: 1, state: 1, channel: 1, ...NEWEST_FIRST },
  ofAll: { liveMode: 1, ...NEWEST_FIRST },
  ofAllByState: { liveMode: 1, state: 1, ...NEWEST_FIRST },
  byTerm: { terms: 1, ...NEWEST_FIRST },
  ofCourier: { courierId: 1, ...NEWEST_FIRST },
  ofVendorAndCourier: { vendorId: 1, liveMode: 1, courierId: 1, ...NEWEST_FIRST },
  changed: LATEST_FIRST,
  openOfVendor: { vendorId: 1, liveMode: 1, ...LATEST_FIRST },
  open: { liveMode: 1, ...LATEST_FIRST },
  searchedLongest: { liveMode: 1, searchCountsFromAt: 1, _id: 1 },
  searchedRegions: { state: 1, region: 1, searchFromAt: 1 },
  roboCarried: { state: 1, _id: 1, 'robo.timeScale': 1 },
  roboSearched: { 'robo.outcome': 1, searchFromAt: 1, _id: 1 },
  // The last field makes the index answer alone.
  carried: { state: 1, _id: 1, sequence: 1 },
} as const;

const OPEN = { state: { $in: [...OPEN_STATES] } };
const SEARCHING = { state: 'searching' };
const ASSIGNED = { courierId: { $gt: '' } };

/**
 * Every index of deliveries. A change of state rewrites the two indexes by state and the small ones of open deliveries.
 * An assignment writes the two indexes of the courier. All others except `changed` are written only when a delivery is created.
 */
export const DELIVERY_INDEXES: readonly mongo.IndexDescription[] = [
  { key: LISTS.ofVendor },
  { key: LISTS.ofVendorByState },
  { key: LISTS.ofAll },
  { key: LISTS.ofAllByState },
  { key: LISTS.byTerm },
  { key: LISTS.ofCourier, partialFilterExpression: ASSIGNED },
  { key: LISTS.ofVendorAndCourier, partialFilterExpression: ASSIGNED },
  { key: { 'links.tokenHash': 1 } },
  // The single link of deliveries that an older version stored.
  { key: { 'link.tokenHash': 1 }, sparse: true },
  { key: LISTS.changed },
  { key: LISTS.openOfVendor, partialFilterExpression: OPEN },
  { key: LISTS.open, partialFilterExpression: OPEN },
  { key: LISTS.searchedLongest, partialFilterExpression: SEARCHING },
  { key: LISTS.searchedRegions, partialFilterExpression: SEARCHING },
  // The last field is only a filter. A later search costs one key and no document.
  {
    key: { region: 1, liveMode: 1, searchCountsFromAt: 1, _id: 1, searchFromAt: 1 },
    partialFilterExpression: SEARCHING,
  },
  { key: LISTS.carried, partialFilterExpression: { state: { $in: [...STATES_WITH_COURIER] } } },
  { key: LISTS.roboCarried, partialFilterExpression: { 'robo.timeScale': { $exists: true } } },
  { key: LISTS.roboSearched, partialFilterExpression: { ...SEARCHING, 'robo.timeScale': { $exists: true } } },
  { key: { 'dues.search': 1 }, partialFilterExpression: { state: { $in: [...DUE_STATES.search] } } },
  { key: { 'dues.late': 1 }, partialFilterExpression: { state: { $in: [...DUE_STATES.late] } } },
  {
    key: { 'dues.expire': 1 },
    partialFilterExpression: { state: { $in: [...DUE_STATES.expire] }, ...DUE_ONLY.expire },
  },
  { key: { 'dues.forget': 1 }, partialFilterExpression: { state: { $in: [...DUE_STATES.forget] } } },
];
