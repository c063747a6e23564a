import { z } from 'zod';
import { AddressView } from '../deliveries/delivery-view.ts';
import { idSchema } from '../ids.ts';

const time = z.iso.datetime();

/** One stop of an offer. */
export const OfferStop = z.strictObject({
  stop: z.number().int().describe('The number of the stop in the delivery; 0 is the pickup'),
  coordinates: z.strictObject({ lat: z.number(), lng: z.number() }).describe('WGS84 degrees'),
  address: AddressView.nullable(),
  instructions: z.string().nullable(),
  ready_at: time.exactOptional().describe('When the goods are ready, or from when the recipient expects them'),
});
export type OfferStop = z.output<typeof OfferStop>;

/** An open offer as its courier receives it, on the socket and over HTTP. */
export const OfferView = z.strictObject({
  offer_id: idSchema('off'),
  delivery_id: idSchema('del'),
  expires_at: time.describe('The courier can answer until then, by the clock of the server'),
  server_time: time.describe('The clock of the server when it wrote this. The app counts down from the difference'),
  vendor_name: z.string().nullable().describe('The business that sends the goods'),
  pickup: OfferStop,
  drop_off: z.array(OfferStop).describe('The drop-offs in the order of visits'),
  drop_off_count: z.number().int().describe('Number of drop-offs'),
  weight: z.number().nullable().describe('Weight of the goods, kg; null if the vendor named none'),
  distance_m: z.number().describe('The way from the pickup along all drop-offs, metres'),
  to_pickup: z
    .strictObject({
      distance_m: z.number().int().describe('Metres along streets'),
      duration_s: z.number().int().describe('Seconds with the vehicle of the courier'),
    })
    .nullable()
    .describe("The way from the courier's last position to the pickup; null if the server has no position"),
  payout: z
    .strictObject({
      amount: z.number().int().describe('Minor units of the currency'),
      currency: z.string().describe('ISO 4217 code'),
    })
    .describe('Pay of the courier for this delivery, without tips'),
});
export type OfferView = z.output<typeof OfferView>;
