import { onboardCourier, setCourierState } from '../../../dispatch/couriers/onboard-courier.ts';
import { recordPositions } from '../../../dispatch/couriers/record-positions.ts';
import { setAvailability } from '../../../dispatch/couriers/set-availability.ts';
import { refuseSuspended } from '../../../domain/deliveries/guards.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import {
  AvailabilityBody,
  CourierView,
  LocationBody,
  LocationView,
  OnboardBody,
  presentCourier,
} from '../../wire/couriers/courier.ts';

const tag = 'Couriers';

/** The couriers, for internal tools and for the courier app. */
export const COURIERS = [
  endpoint({
    route: 'POST /couriers/onboard',
    tag,
    summary: 'Onboard a courier with a pending profile',
    body: OnboardBody,
    reply: CourierView,
    status: 201,
    run: async (ctx, { body }) => {
      const courier = await onboardCourier(ctx, body);
      return new Answer(presentCourier(courier), { headers: { Location: `/couriers/${courier.id}` } });
    },
  }),
  endpoint({
    route: 'GET /couriers/{id}',
    tag,
    summary: 'Read a courier',
    id: 'courier',
    reply: CourierView,
    status: 200,
    run: async (ctx, { id }) => presentCourier(await ctx.couriers.get(id)),
  }),
  endpoint({
    route: 'POST /couriers/{id}/activate',
    tag,
    summary: 'Activate a courier',
    id: 'courier',
    reply: CourierView,
    status: 200,
    run: async (ctx, { caller, id }) =>
      presentCourier(await setCourierState(ctx, { courierId: id, state: 'active' }, caller)),
  }),
  endpoint({
    route: 'POST /couriers/{id}/suspend',
    tag,
    summary: 'Suspend a courier',
    id: 'courier',
    reply: CourierView,
    status: 200,
    run: async (ctx, { caller, id }) =>
      presentCourier(await setCourierState(ctx, { courierId: id, state: 'suspended' }, caller)),
  }),
  endpoint({
    route: 'PATCH /couriers/{id}/status',
    tag,
    summary: 'Go online or offline; only online couriers receive offers',
    id: 'courier',
    body: AvailabilityBody,
    reply: CourierView,
    status: 200,
    run: async (ctx, { caller, id, body }) =>
      presentCourier(await setAvailability(ctx, { courierId: id, availability: body.status }, caller)),
  }),
  endpoint({
    route: 'PUT /couriers/{id}/location',
    tag,
    summary: 'Report one position with named fields, or up to 50 as tuples',
    id: 'courier',
    body: LocationBody,
    reply: LocationView,
    status: 202,
    run: async (ctx, { caller, id, body }) => {
      // A courier's token proves that they exist and are not suspended. A service may send a wrong id.
      if (caller.type === 'internal') refuseSuspended(await ctx.couriers.get(id));
      const { seq: _seq, slowDownMs: _waitMs, ...taken } = recordPositions(ctx, id, body);
      return taken;
    },
  }),
];
