import type { Device } from '../../domain/couriers/device.ts';
import type { OfferPush } from '../../ports/offers.ts';

/** A push service. It resolves to `gone` if the device no longer has the app, and rejects if the push was not sent. */
export type PushService = {
  send(device: Device, push: OfferPush): Promise<'sent' | 'gone'>;
  close(): Promise<void>;
};
