import { beforeAll, expect, test } from 'vitest';
import { addDelivery, addVendor, call, openHouse } from '../../house.ts';
import { EVENTS_LOG } from '../../../../src/models/deliveries/events/event-rows.ts';

// Ended deliveries are old at once, so that their events may have been removed.
const house = await openHouse('history', (settings) => ({
  ...settings,
  retention: { ...settings.retention, eventsMs: 0 },
}));
let key: string;

beforeAll(async () => {
  key = (await addVendor(house)).key;
});

const historyOf = (id: string, query = '') => call(house, `GET /deliveries/${id}/history${query}`, { token: key });
const forget = (filter: object) => house.mongo.collection(EVENTS_LOG).deleteMany(filter);

test('[S56] the history of a delivery without its events is refused and never returned in part', async () => {
  const id = await addDelivery(house, key);
  await call(house, `POST /deliveries/${id}/cancel`, { token: key });
  const whole = await historyOf(id, '?limit=1');
  expect([whole.status, whole.body.data?.length, whole.body['has_more']]).toEqual([200, 1, true]);
  const rest = await historyOf(id, `?cursor=${String(whole.body['next_cursor'])}`);
  expect(rest.body.data?.map(({ type }) => type)).toEqual(['canceled']);
  await forget({ delivery_id: id, sequence: 1 });
  const part = await historyOf(id);
  expect([part.status, part.body['code']]).toEqual([410, 'history_expired']);
  // A reader of the first page may continue while the second page exists.
  expect((await historyOf(id, `?cursor=${String(whole.body['next_cursor'])}`)).status).toBe(200);
  await forget({ delivery_id: id });
  expect((await historyOf(id)).status).toBe(410);
  expect((await historyOf(id, `?cursor=${String(whole.body['next_cursor'])}`)).status).toBe(410);
  const delivery = await call(house, `GET /deliveries/${id}`, { token: key });
  expect([delivery.status, delivery.body['status']]).toEqual([200, 'canceled']);
});

test('[S56] a lag in the log of an open delivery does not count as removed events', async () => {
  const id = await addDelivery(house, key);
  await forget({ delivery_id: id });
  const lagging = await historyOf(id);
  expect([lagging.status, lagging.body.data]).toEqual([200, []]);
});

test('[S56] a history that is being deleted is refused if any event is missing, not only the first', async () => {
  const id = await addDelivery(house, key);
  await call(house, `POST /deliveries/${id}/cancel`, { token: key });
  await forget({ delivery_id: id, sequence: 2 });
  expect((await historyOf(id)).status).toBe(410);
});
