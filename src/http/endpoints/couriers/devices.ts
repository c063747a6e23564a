import { auditedCourier } from '../../../dispatch/couriers/audited-courier.ts';
import { PUSH_TYPES } from '../../../domain/couriers/push.ts';
import { newId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { endpoint } from '../../endpoint.ts';
import { listOf } from '../../lists.ts';
import { DeviceBody, DeviceView, presentDevice } from '../../wire/couriers/device.ts';

const tag = 'Couriers';

const TYPES = PUSH_TYPES.map((type) => `\`${type}\``).join(', ');

/** The phones of a courier that pushes can wake. */
export const DEVICES = [
  endpoint({
    route: 'POST /couriers/{id}/devices',
    name: 'registerDevice',
    tag,
    summary: 'Register the phone of a courier for pushes',
    description:
      'Registers the token of the app, so that the server can wake the phone while the app is not connected. A push ' +
      `contains ids and its type: ${TYPES}. The app then connects and receives the rest. ` +
      'The app should register at each start and after each login. The same token keeps its device, and ' +
      'moves to the courier who registers it last. A courier has at most 5 devices; one more replaces the oldest. ' +
      'The end of the session also ends the device.',
    id: 'courier',
    body: DeviceBody,
    reply: DeviceView,
    status: 201,
    run: async (ctx, { caller, id, body }) =>
      presentDevice(
        await ctx.devices.register({
          id: newId('dev'),
          courierId: id,
          sessionId: caller.sessionId,
          token: body.token,
          platform: body.platform,
          appVersion: body.app_version ?? null,
          provider: body.provider ?? null,
          registeredAt: ctx.clock.now(),
        }),
      ),
  }),
  endpoint({
    route: 'GET /couriers/{id}/devices',
    name: 'listDevices',
    tag,
    summary: 'List the devices of a courier that pushes can wake',
    description: 'Returns the devices of a courier, the last registered first. The answer contains no tokens.',
    id: 'courier',
    reply: listOf(DeviceView),
    status: 200,
    run: async (ctx, { id }) => {
      await ctx.couriers.get(id);
      const data = (await ctx.devices.listOf(id)).map(presentDevice);
      return { object: 'list' as const, data, has_more: false, next_cursor: null };
    },
  }),
  endpoint({
    route: 'DELETE /couriers/{id}/devices/{device_id}',
    name: 'removeDevice',
    tag,
    summary: 'Remove a device, so that it gets no more pushes',
    description: 'Removes a device of the courier. Pushes no longer reach it, until the app registers it again.',
    id: 'courier',
    part: 'device',
    status: 204,
    run: async (ctx, { caller, id, part: deviceId }) => {
      const courier = await ctx.couriers.get(id);
      // Couriers act for themselves and are not audited.
      const removed = [{ device_id: deviceId }, null] as const;
      const entry =
        caller.type === 'courier' ? null : ctx.audit.draft(auditedCourier('device.remove', courier, removed));
      if (!(await ctx.devices.remove(id, deviceId, entry))) throw new Refusal('device_not_found');
    },
  }),
];
