import { expect, test } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { OPERATIONS, type Operations } from '../../packages/client/src/generated/operations.ts';
import { Pages } from '../../packages/client/src/pages.ts';
import type { NewDelivery, Problem, ProblemCode } from '../../packages/client/src/generated/types.ts';
import type { CourierActions, Offer } from '../../packages/client/src/generated/messages.ts';
import type { REFUSALS } from '../../src/domain/refusals/refusals.ts';
import type { CourierToServer, ServerToClient } from '../../src/realtime/protocol.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { answering } from './answers.ts';

const baseUrl = 'https://a.example';

test('[H350] the client has one method for each route that answers JSON, and calls exactly that route', async () => {
  const methods = Object.entries(OPERATIONS).flatMap(([section, rows]) =>
    Object.entries(rows as Record<string, { route: string }>).map(([name, { route }]) => ({ section, name, route })),
  );
  const served = ROUTES.filter(({ kind }) => kind === 'endpoint').map(({ route }) => route);
  expect(methods.map(({ route }) => route).toSorted()).toEqual(served.toSorted());
  for (const { section, name, route } of methods) {
    const { fetch, asked } = answering({ body: { object: 'list', data: [], has_more: false, next_cursor: null } });
    const [verb, path = ''] = route.split(' ');
    const ids = path.match(/\{\w+\}/g) ?? [];
    const result = callMethod(
      createClient({ baseUrl, fetch }),
      [section, name],
      ids.map((_id, index) => `id ${index}`),
    );
    await (result instanceof Pages ? result.firstPage() : result);
    let next = 0;
    const filled = path.replaceAll(/\{\w+\}/g, () => `id%20${next++}`);
    expect([asked[0]?.method, asked[0]?.url]).toEqual([verb, `${baseUrl}${filled}`]);
  }
});

/** Calls a method of the client by its names, which the compiler does not know. */
function callMethod(client: object, [section, name]: readonly [string, string], inputs: readonly unknown[]): unknown {
  const methods: unknown = Reflect.get(client, section);
  if (typeof methods !== 'object' || methods === null) throw new Error(`the client has no section ${section}`);
  const method: unknown = Reflect.get(methods, name);
  if (typeof method !== 'function') throw new Error(`the client has no method ${section}.${name}`);
  return Reflect.apply(method, methods, inputs);
}

test('[H350] queries, bodies and forms are sent as the route takes them, and an empty id is refused', async () => {
  const { fetch, asked } = answering({ body: { object: 'list', data: [], has_more: false, next_cursor: null } });
  const client = createClient({ baseUrl, fetch });
  await client.deliveries.list({ limit: 5, q: 'Ada & Co', status: undefined }).firstPage();
  await client.express.cancel('del_1');
  await client.deliveries.addStopProof('del_1', 1, { photo: [new Blob(['a']), new Blob(['b'])], pin: '1234' });
  expect(asked.map(({ url }) => url.slice(baseUrl.length))).toEqual([
    '/deliveries?limit=5&q=Ada+%26+Co',
    '/express/deliveries/del_1/cancel',
    '/deliveries/del_1/stops/1/proof',
  ]);
  expect(asked[1]?.body).toBe('{}');
  const form = asked[2]?.body;
  expect(form instanceof FormData ? [form.getAll('photo').length, form.get('pin')] : null).toEqual([2, '1234']);
  expect(asked[2]?.headers.get('content-type')).toBeNull();
  expect(() => client.express.get('')).toThrow('needs id');
});

test('[H353] a loop over a list reads as many pages as it needs', async () => {
  const page = (data: number[], next: string | null) => ({
    body: { object: 'list', data, has_more: next !== null, next_cursor: next },
  });
  const answers = [page([1, 2], 'b'), page([3, 4], 'c'), page([5], null)];
  const read = async (most: number): Promise<[unknown[], string[]]> => {
    const { fetch, asked } = answering(...answers);
    const items = await createClient({ baseUrl, fetch }).deliveries.list({ status: 'failed' }).take(most);
    return [items, asked.map(({ url }) => new URL(url).search)];
  };
  expect(await read(100)).toEqual([
    [1, 2, 3, 4, 5],
    ['?status=failed', '?status=failed&cursor=b', '?status=failed&cursor=c'],
  ]);
  expect(await read(2)).toEqual([[1, 2], ['?status=failed']]);
  expect(await read(0)).toEqual([[], []]);
});

test('[H536] a list that leads back to a page that was read ends with NoAnswer', async () => {
  const pages = ['b', 'c', 'b'].map((next) => ({
    body: { object: 'list', data: [1], has_more: true, next_cursor: next },
  }));
  const { fetch, asked } = answering(...pages);
  const items = createClient({ baseUrl, fetch }).webhooks.listEvents().take(10);
  await expect(items).rejects.toMatchObject({ name: 'NoAnswer', status: 200 });
  expect(asked).toHaveLength(3);
});

/** Compiles only if the first type can be used as the second. */
type Fits<A extends B, B> = A;

test('[H350] the generated types are those of the server', () => {
  // The compiler checks these lines; at run time there is nothing left of them.
  type Same = [
    Fits<ProblemCode, keyof typeof REFUSALS>,
    Fits<keyof typeof REFUSALS, ProblemCode>,
    Fits<Problem['code'], ProblemCode>,
    Fits<keyof CourierActions, keyof CourierToServer>,
    Fits<Parameters<ServerToClient['offer.new']>[0], Offer>,
    Fits<NewDelivery, Parameters<Operations['express']['create']>[0]>,
  ];
  const count: Same['length'] = 6;
  expect(count).toBe(6);
});
