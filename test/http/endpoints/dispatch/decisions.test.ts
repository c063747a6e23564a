import { beforeAll, expect, test } from 'vitest';
import type { DecisionRow } from '../../../../src/domain/offers/decision.ts';
import { newId, type DeliveryId } from '../../../../src/domain/ids.ts';
import { until } from '../../../until.ts';
import { addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('decisions');
const { ctx } = house;
const ROUTE = 'GET /dispatch/decisions/{id}';
let staff = '';
let key = '';

beforeAll(async () => {
  staff = await addStaff(house, 'support');
  ({ key } = await addVendor(house));
});

const read = (id: string, query = '', token = staff) => call(house, `GET /dispatch/decisions/${id}${query}`, { token });

/** So many runs, a second apart, that decided about this delivery. */
async function decide(deliveryId: DeliveryId, runs: number): Promise<DecisionRow[]> {
  const rows = Array.from({ length: runs }, (_, i): DecisionRow => {
    const candidates = [1, 2].map((rank) => {
      return { courierId: newId('cou'), arriveS: 90.4 * rank, aloneS: 700.2 * rank, priceS: 4, acceptance: 0.8123 };
    });
    const courierId = candidates[0]!.courierId;
    const at = ctx.clock.now() + i * 1000;
    return {
      runId: newId('run'),
      deliveryId,
      at,
      verdict: 'offered',
      courierId,
      costS: 704.2,
      asked: [courierId],
      candidates,
    };
  });
  for (const row of rows) {
    const facts = { id: row.runId, region: 'r', fence: 1, at: row.at, tookMs: 5, rounds: 0, seed: 1 };
    ctx.decisions.record({ ...facts, request: {}, answer: {}, decisions: [row] });
  }
  await until(async () => (await ctx.decisions.list(deliveryId, { limit: 100, after: null })).items.length === runs);
  return rows;
}

test('[O45] staff can read the reasons of a decision: verdict, cost, and candidates with figures and a sentence', async () => {
  const id = (await addDelivery(house, key)) as DeliveryId;
  const [row] = await decide(id, 1);
  const answer = await read(id);
  expect(answer.status).toBe(200);
  expect(replyOf(ROUTE)?.safeParse(answer.body).error).toBeUndefined();
  const [first, second] = row!.candidates.map(({ courierId }) => courierId);
  expect(answer.body).toEqual({
    object: 'list',
    data: [
      {
        object: 'dispatch_decision',
        run_id: row!.runId,
        delivery_id: id,
        at: new Date(row!.at).toISOString(),
        verdict: 'offered',
        reason: 'Its courier receives the offer now.',
        courier_id: first,
        cost_s: 704,
        asked: [first],
        candidates: [
          {
            courier_id: first,
            is_chosen: true,
            arrive_s: 90,
            alone_s: 700,
            price_s: 4,
            acceptance: 0.81,
            reason: 'Chosen. At the pickup in 2 min, accepts 8 offers in 10.',
          },
          {
            courier_id: second,
            is_chosen: false,
            arrive_s: 181,
            alone_s: 1400,
            price_s: 4,
            acceptance: 0.81,
            reason: 'Costs 12 min more than the chosen courier. At the pickup in 3 min, accepts 8 offers in 10.',
          },
        ],
      },
    ],
    has_more: false,
    next_cursor: null,
  });
});

test('[O45] decisions are read page by page, newest first; one about which nothing was decided has none', async () => {
  const id = (await addDelivery(house, key)) as DeliveryId;
  expect((await read(id)).body).toMatchObject({ data: [], has_more: false });
  const rows = await decide(id, 5);
  const seen: unknown[] = [];
  for (let path: string | undefined = `/dispatch/decisions/${id}?limit=2`; path !== undefined;) {
    const page = await call(house, `GET ${path}`, { token: staff });
    seen.push(...(page.body.data ?? []).map((one) => one['run_id']));
    path = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual(rows.toReversed().map(({ runId }) => runId));
  const cursor = String((await read(id, '?limit=1')).body['next_cursor']);
  const other = await addDelivery(house, key);
  expect((await read(other, `?cursor=${cursor}`)).status).toBe(422);
  expect((await read(id, '?limit=0')).status).toBe(400);
});

test('[O45] decisions are for staff and services; an unknown delivery is absent', async () => {
  const id = await addDelivery(house, key);
  expect((await read(id, '', key)).status).toBe(403);
  expect((await call(house, `GET /dispatch/decisions/${id}`)).status).toBe(401);
  for (const token of [await addStaff(house, 'finance'), await ctx.credentials.issueInternal('chat', 600)]) {
    expect((await read(id, '', token)).status).toBe(200);
  }
  for (const unknown of [newId('del'), 'nonsense']) {
    const answer = await read(unknown);
    expect(answer).toMatchObject({ status: 404, body: { code: 'delivery_not_found' } });
  }
});
