import { expect } from 'vitest';
import type { LocationId, VendorId } from '../../../../src/domain/ids.ts';
import { aLocation } from '../../../builders.ts';
import { addStaff, addVendor, call, DROP_OFF, openHouse, type Answer, type House } from '../../house.ts';
import { replyOf, wrongProblem } from '../../routes.ts';

type Account = { readonly id: VendorId; readonly key: string };

/** A vendor with a location, another vendor, a dispatcher, and requests that they make. */
export async function openShop(name: string) {
  const house = await openHouse(name);
  const [vendor, other]: Account[] = [await addVendor(house), await addVendor(house)];
  const staff = await addStaff(house, 'dispatcher');
  const location = aLocation({ vendorId: vendor!.id });
  await house.ctx.vendors.addLocation(location);
  const order =
    (route: string, dropOff: object) =>
    (over: Record<string, unknown> = {}) =>
      call(house, route, {
        token: vendor!.key,
        body: { pickup: { location_id: location.id }, drop_off: dropOff, ...over },
      });
  return {
    house,
    vendor: vendor!,
    other: other!,
    staff,
    locationId: location.id as LocationId,
    asked: askedOf(house),
    create: order('POST /deliveries', DROP_OFF),
    quote: order('POST /express/quotes', { coordinates: DROP_OFF.coordinates }),
  };
}

/** A request whose answer must be as the document promises. `row` is the route if the path has ids. */
function askedOf(house: House) {
  return async (
    route: string,
    token: string,
    body?: unknown,
    headers: Record<string, string> = {},
    row = route,
  ): Promise<Answer> => {
    const answer = await call(house, route, { token, headers, ...(body === undefined ? {} : { body }) });
    const wrong = answer.status >= 400 ? wrongProblem(answer) : replyOf(row)?.safeParse(answer.body).error;
    expect([route, wrong ?? null]).toEqual([route, null]);
    return answer;
  };
}

/** The fields that a refusal names. */
export function pointersOf({ body }: Answer): string[] {
  return (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
}
