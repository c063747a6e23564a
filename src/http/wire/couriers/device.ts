import { z } from 'zod';
import { PLATFORMS, PUSH_PROVIDERS, type Device } from '../../../domain/couriers/device.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';

/** The address of an app at its push service. Web pushes have the longest. */
const Token = z
  .string()
  .regex(/^[\x21-\x7e]{8,4096}$/, 'must have 8 to 4096 visible ASCII characters')
  .describe('The token that the push service gave to the app; 8 to 4096 visible ASCII characters');

export const DeviceBody = z.strictObject({
  token: Token,
  platform: z.enum(PLATFORMS).describe('The operating system of the device'),
  app_version: z
    .string()
    .regex(/^[\x21-\x7e]{1,32}$/, 'must have 1 to 32 visible ASCII characters')
    .exactOptional()
    .describe('The version of the app, at most 32 characters'),
  provider: z
    .enum(PUSH_PROVIDERS)
    .exactOptional()
    .describe('The push service that knows the token. By default the one that the server prefers'),
});

export const DeviceView = z.strictObject({
  id: idSchema('dev').describe('The id of the device'),
  object: z.literal('device'),
  platform: z.enum(PLATFORMS).describe('The operating system of the device'),
  app_version: z.string().nullable().describe('The version of the app; null if the app did not say'),
  provider: z.enum(PUSH_PROVIDERS).nullable().describe('The push service; null for the one that the server prefers'),
  registered_at: z.iso.datetime().describe('When the app registered the device last'),
});

/** The device without its token, which nobody else needs. */
export function presentDevice(device: Device): z.output<typeof DeviceView> {
  return {
    id: device.id,
    object: 'device',
    platform: device.platform,
    app_version: device.appVersion,
    provider: device.provider,
    registered_at: isoTime(device.registeredAt),
  };
}
