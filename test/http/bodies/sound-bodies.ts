import { newId } from '../../../src/domain/ids.ts';
import { DROP_OFF, PICKUP, aCreate } from '../house.ts';

/** The ids of paths and bodies. The test puts in those that exist. */
export const ids = {
  delivery: '',
  courier: '',
  key: newId('key'),
  session: newId('ses'),
  staff: newId('stf'),
  webhook: newId('whk'),
  event: newId('evt'),
  link: 'x',
  order: 'order-1',
  offer: newId('off'),
  stop: 1,
  device: newId('dev'),
  document: newId('doc'),
  ownDocument: newId('doc'),
  location: newId('loc') as string,
  zone: newId('zon') as string,
  vendor: '',
};

const WHOLE = {
  ...aCreate({ external_id: 'order', priority: 'scheduled', vehicle_types: ['car'], custom: { note: 'x' } }),
  pickup: { ...PICKUP, address: '1 Market Square', instructions: 'Ring', window: { ready_at: '2026-01-05T12:00:00Z' } },
  metadata: { weight: 1, category: 'Food', fragility: 'low' },
  search_until: '2026-01-05T12:00:00Z',
  test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: 10 } },
};

// oxfmt-ignore
const TRIANGLE = { type: 'Polygon', coordinates: [[[13, 52], [13.1, 52], [13, 52.1], [13, 52]]] };

/** A body that each route takes. */
export const SOUND: Record<string, () => object> = {
  'POST /express/deliveries': () => WHOLE,
  'POST /express/quotes': () => WHOLE,
  'POST /deliveries': () => WHOLE,
  'PATCH /deliveries/{id}': () => ({
    drop_off: [{ stop: 1, contact: DROP_OFF.contact }],
    pickup: { instructions: 'x' },
  }),
  'POST /express/deliveries/{id}/cancel': () => ({ reason: 'other' }),
  'POST /deliveries/{id}/cancel': () => ({ reason: 'other' }),
  'POST /couriers/onboard': () => ({ name: 'Ada', phone: '+4930123456', vehicle_type: 'car', live_mode: false }),
  'PATCH /couriers/{id}/status': () => ({ status: 'online' }),
  'PUT /couriers/{id}/location': () => ({ fixes: [[1, 1, 1, 1, 1, 1, 1]] }),
  'POST /couriers/{id}/offers/{offer_id}/decline': () => ({ reason: 'x' }),
  'POST /couriers/{id}/devices': () => ({
    token: 'a-token-of-a-phone',
    platform: 'ios',
    app_version: '1.2.3',
    provider: 'fcm',
  }),
  'PATCH /couriers/{id}': () => ({
    name: 'Ada',
    vehicle_type: 'car',
    email: 'a@example.com',
    plate: 'B-1',
    city: null,
  }),
  'POST /kyc/documents/{id}/decide': () => ({ decision: 'reject', reason: 'other', comment: 'x' }),
  'POST /deliveries/{id}/stops/{stop}/arrive': () => ({ override_reason: 'x' }),
  'POST /deliveries/{id}/pick-up': () => ({ override_reason: 'x' }),
  'POST /deliveries/{id}/depart': () => ({ override_reason: 'x' }),
  'POST /deliveries/{id}/stops/{stop}/deliver': () => ({ override_reason: 'x' }),
  'POST /deliveries/{id}/stops/{stop}/fail': () => ({
    reason: 'customer_unavailable',
    override_reason: 'x',
    contact_tries: [{ at: '2026-01-05T12:00:00Z', channel: 'call' }],
  }),
  'POST /deliveries/{id}/release': () => ({ reason: 'x', courier_id: ids.courier }),
  'POST /deliveries/{id}/rating': () => ({ rating: 5, comment: 'x' }),
  'POST /t/{token}/rating': () => ({ rating: 5, comment: 'x' }),
  'POST /dispatch/assign': () => ({ delivery_id: ids.delivery, courier_id: ids.courier, override_reason: 'x' }),
  'PATCH /vendor/profile': () => ({
    legal_name: 'x',
    website: 'https://a.example',
    address: '1 Market Square',
    contact: DROP_OFF.contact,
    branding: { name: 'x', accent: '#0b6e4f' },
  }),
  'PATCH /vendor/hours': () => ({
    timezone: 'UTC',
    weekly: [{ day_of_week: 1, periods: [{ start: '09:00', end: '12:00' }] }],
    exceptions: [{ date: '2026-01-05', closed: true }],
  }),
  'PATCH /vendor/locations/{id}/readiness': () => ({ ready: false, until: '2199-01-05T12:00:00Z' }),
  'POST /vendor/locations': () => ({
    vendor_id: ids.vendor,
    name: 'x',
    coordinates: DROP_OFF.coordinates,
    address: '1 Market Square',
    contact: DROP_OFF.contact,
  }),
  'PATCH /vendor/locations/{id}': () => ({ contact: DROP_OFF.contact, instructions: 'x', max_distance_m: 500 }),
  'POST /vendor/locations/{id}/zones': () => ({ name: 'x', geojson: TRIANGLE }),
  'PATCH /vendor/locations/{id}/zones/{zone_id}': () => ({ name: 'x', geojson: TRIANGLE }),
  'POST /vendors': () => ({ name: 'x', currency: 'EUR', search_limit_min: 5, max_distance_m: 500 }),
  'PATCH /vendors/{id}': () => ({ currency: 'EUR', search_limit_min: 5, max_distance_m: 50_000 }),
  'POST /vendor/orders/{order_id}/dispatch': () => ({
    location_id: newId('loc'),
    pickup: { instructions: 'Ring', window: { ready_at: '2026-01-05T12:00:00Z' } },
    drop_off: [DROP_OFF],
    custom: { note: 'x' },
  }),
  'PATCH /vendor/deliveries/{id}/ready': () => ({ ready_at: '2026-01-05T12:00:00Z' }),
  'POST /vendor/deliveries/{id}/delay': () => ({ minutes: 5, reason: 'x' }),
  'POST /test/deliveries/{id}/advance': () => ({ to: 'picked_up' }),
  'POST /webhooks': () => ({ url: 'http://127.0.0.1:9/', events: ['*'], description: 'x' }),
  'PATCH /webhooks/{id}': () => ({
    url: 'http://127.0.0.1:9/',
    events: ['*'],
    description: 'x',
    status: 'enabled',
  }),
  'POST /webhooks/{id}/rotate-secret': () => ({ overlap_hours: 1 }),
  'POST /webhooks/{id}/replay': () => ({ event_id: ids.event }),
  'POST /vendor/api-keys': () => ({ name: 'x', scopes: ['keys:read'], expires_at: '2190-01-05T12:00:00Z' }),
  'POST /vendor/api-keys/{id}/rotate': () => ({ overlap_hours: 1 }),
  'POST /staff': () => ({ email: 'bob@example.org', roles: ['support'], password: 'a long password' }),
  'PATCH /staff/{id}': () => ({ roles: ['support'] }),
  'POST /staff/{id}/reset': () => ({ password: 'a long password' }),
  'POST /staff/me/password': () => ({ current_password: 'a guess', new_password: 'a long password' }),
  'POST /auth/otp': () => ({ phone: '+4930123456' }),
  'POST /auth/token': () => ({ grant_type: 'otp', phone: '+4930123456', code: '000000' }),
};
