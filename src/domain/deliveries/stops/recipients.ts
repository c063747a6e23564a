import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../delivery.ts';
import type { Stop } from './stop.ts';

/** Parts of a degree that the place of a forgotten recipient keeps: a hundredth is about a kilometre. */
const ROUGH = 100;

/**
 * The delivery without the people who received its goods: the drop-offs of a delivery and the pickup of a return lose
 * contact, address, instructions and the name of the signer, and their places are rounded to about a kilometre. Times, goods,
 * money, the vendor’s own ids and values, and the other stops stay. A delivery that has forgotten them stays as it is.
 */
export function withoutRecipients<D extends Pick<Delivery, 'kind' | 'pickup' | 'dropOffs'>>(delivery: D): D {
  const { kind, pickup, dropOffs } = delivery;
  return kind === 'return'
    ? { ...delivery, pickup: anonymous(pickup) }
    : { ...delivery, dropOffs: dropOffs.map(anonymous) };
}

/** Says whether the delivery still knows the people who received its goods. */
export function hasRecipients(delivery: Pick<Delivery, 'kind' | 'pickup' | 'dropOffs'>): boolean {
  return !isDeepStrictEqual(withoutRecipients(delivery), delivery);
}

function anonymous({ firstPlace: _first, ...stop }: Stop): Stop {
  const { place, proof } = stop;
  const given =
    proof === undefined ? {} : { proof: { ...proof, signer: { name: null, relationship: null }, place: null } };
  const rough = { lat: Math.round(place.lat * ROUGH) / ROUGH, lng: Math.round(place.lng * ROUGH) / ROUGH };
  return { ...stop, ...given, place: rough, address: null, contact: null, instructions: null };
}
