import { beforeAll } from 'vitest';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import { POLICY } from '../../../src/http/policy.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import { addCourier, addDelivery, addStaff, addVendor, call, openHouse, type Answer } from '../house.ts';
import { pathWith, wrongProblem } from '../routes.ts';
import { ids } from './sound-bodies.ts';

/** The routes whose requests have a JSON body. */
export const writing = ROUTES.filter(
  (row): row is Endpoint => row.kind === 'endpoint' && row.body !== null && row.upload === null,
);

export type Judge = (raw: string) => Promise<{ readonly raw: string; readonly wrong: string | null }>;

/** A server, and a function that sends raw bodies to a route by a caller who may use it, and judges the answers. */
export async function openBodies(name: string): Promise<(row: Endpoint) => Judge> {
  const house = await openHouse(name);
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    const vendor = await addVendor(house);
    const courier = await addCourier(house);
    tokens['vendor'] = vendor.key;
    tokens['courier'] = courier.token;
    tokens['staff'] = await addStaff(house, 'admin');
    ids.delivery = await addDelivery(house, vendor.key);
    ids.courier = courier.id;
    ids.vendor = vendor.id;
  });
  return (row) => {
    const { route } = row;
    const path = pathWith(row, ids);
    const token = tokens[Object.keys(POLICY[route]).find((kind) => tokens[kind] !== undefined) ?? ''];
    return async (raw) => ({ raw, wrong: wrongAnswer(await call(house, path, { token, raw })) });
  };
}

/** Why this answer is not as promised; null when it is. */
function wrongAnswer(answer: Answer): string | null {
  if (answer.status >= 500) return `${answer.status} ${answer.text}`;
  return answer.status >= 400 ? wrongProblem(answer) : null;
}

/** Every place in a value, as the keys that lead there. */
export function placesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, part]) => placesOf(part).map((rest) => [key, ...rest]))];
}

/** The value with the part at one place put instead. */
export function replaced(value: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key === undefined) return part;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, part) : item));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest, part) };
}
