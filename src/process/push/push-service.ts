import type { Device } from '../../domain/couriers/device.ts';
import type { CourierPush } from '../../domain/couriers/push.ts';

/** A push service. It resolves to `gone` if the device no longer has the app, and rejects if the push was not sent. */
export type PushService = {
  send(device: Device, push: CourierPush): Promise<'sent' | 'gone'>;
  close(): Promise<void>;
};
