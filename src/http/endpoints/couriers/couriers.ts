import { editCourier } from '../../../dispatch/couriers/edit-courier.ts';
import { onboardCourier, setCourierState } from '../../../dispatch/couriers/onboard-courier.ts';
import { recordPositions } from '../../../dispatch/couriers/record-positions.ts';
import { setAvailability } from '../../../dispatch/couriers/set-availability.ts';
import type { Courier } from '../../../domain/couriers/courier.ts';
import { refuseSuspended } from '../../../domain/couriers/not-active.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import { versionOf } from '../deliveries/deliveries.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import type { HttpContext } from '../../http-context.ts';
import type { CallerOf } from '../../policy.ts';
import {
  AvailabilityBody,
  CourierChangesBody,
  CourierListQuery,
  CourierView,
  LocationBody,
  LocationView,
  OnboardBody,
  presentCourier,
  StandingBody,
} from '../../wire/couriers/courier.ts';

const tag = 'Couriers';

/** The couriers, for internal tools and for the courier app. */
export const COURIERS = [
  endpoint({
    route: 'POST /couriers/onboard',
    name: 'onboardCourier',
    tag,
    summary: 'Onboard a courier with a pending profile',
    description:
      'Creates the profile of a courier in the state `pending`. They cannot go online until staff activate them.',
    body: OnboardBody,
    reply: CourierView,
    status: 201,
    run: async (ctx, { body, newId }) => {
      const courier = await onboardCourier(ctx, body, newId('cou'));
      return new Answer(presentCourier(courier), { headers: { Location: `/couriers/${courier.id}` } });
    },
  }),
  endpoint({
    route: 'GET /couriers/{id}',
    name: 'getCourier',
    tag,
    summary: 'Read a courier',
    description:
      'Returns the profile of a courier with their state and availability. Couriers can read only their own ' +
      'profile.',
    id: 'courier',
    reply: CourierView,
    status: 200,
    run: async (ctx, { id }) => answerCourier(await ctx.couriers.get(id)),
  }),
  endpoint({
    route: 'GET /couriers',
    name: 'listCouriers',
    tag,
    summary: 'List and search couriers, newest first',
    description:
      'Returns the profiles of couriers that match all filters. `q` searches by id, by whole words of the name or by ' +
      'last digits of the phone. A page of a search may have fewer items than `limit`; `has_more` says whether more ' +
      'follow. Robo-couriers are not in the list.',
    query: CourierListQuery,
    reply: listOf(CourierView),
    status: 200,
    run: async (ctx, { query, url }) => {
      const { filter, ...page } = query;
      const scope = `couriers ${JSON.stringify(filter)}`;
      const found = await ctx.couriers.list(filter, pageRequest(ctx.signer, scope, page));
      return listAnswer(ctx.signer, scope, url, mapPage(found, presentCourier));
    },
  }),
  endpoint({
    route: 'PATCH /couriers/{id}',
    name: 'updateCourier',
    tag,
    summary: 'Change the profile of a courier; supports If-Match',
    description:
      'Changes the fields that are sent. Couriers cannot change their name and phone. An active courier can change ' +
      'their vehicle only if the documents that it needs are approved (409 `courier_not_verified`). A new phone ends ' +
      'all sessions of the courier.',
    id: 'courier',
    ifMatch: true,
    body: CourierChangesBody,
    reply: CourierView,
    status: 200,
    run: async (ctx, { caller, id, body, ifMatch }) =>
      answerCourier(await editCourier(ctx, id, body, caller, versionOf(ifMatch))),
  }),
  endpoint({
    route: 'POST /couriers/{id}/activate',
    name: 'activateCourier',
    tag,
    summary: 'Activate a courier',
    description: 'Lets a pending or suspended courier go online. Activating an active courier changes nothing.',
    id: 'courier',
    body: StandingBody,
    reply: CourierView,
    status: 200,
    run: (ctx, { caller, id, body }) => answerState(ctx, caller, { ...body, courierId: id, state: 'active' }),
  }),
  endpoint({
    route: 'POST /couriers/{id}/suspend',
    name: 'suspendCourier',
    tag,
    summary: 'Suspend a courier',
    description:
      'Takes a courier out of service. They go offline, their open offer is withdrawn and their sessions end. They keep ' +
      'their deliveries until staff reassign them.',
    id: 'courier',
    body: StandingBody,
    reply: CourierView,
    status: 200,
    run: (ctx, { caller, id, body }) => answerState(ctx, caller, { ...body, courierId: id, state: 'suspended' }),
  }),
  endpoint({
    route: 'PATCH /couriers/{id}/status',
    name: 'setCourierAvailability',
    tag,
    summary: 'Go online or offline; only online couriers receive offers',
    description:
      'Sets the availability of a courier. Only online couriers receive offers. A courier who goes offline keeps ' +
      'the deliveries that they carry.',
    id: 'courier',
    body: AvailabilityBody,
    reply: CourierView,
    status: 200,
    run: async (ctx, { caller, id, body }) =>
      presentCourier(await setAvailability(ctx, { courierId: id, availability: body.status }, caller)),
  }),
  endpoint({
    route: 'PUT /couriers/{id}/location',
    name: 'reportLocation',
    tag,
    summary: 'Report one position with named fields, or up to 50 as tuples',
    description:
      'Reports where the courier is: one position with named fields, or up to 50 tuples, oldest first, after a ' +
      'time without a connection. The courier app should send pings over its socket and use this route only if ' +
      'the socket is away.',
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

/** Lets a courier work, or takes them out of service. */
async function answerState(
  ctx: HttpContext,
  caller: CallerOf<'POST /couriers/{id}/activate'>,
  command: Parameters<typeof setCourierState>[1],
) {
  return presentCourier(await setCourierState(ctx, command, caller));
}

/** The profile with its version as `ETag`. */
function answerCourier(courier: Courier) {
  return new Answer(presentCourier(courier), { headers: { ETag: `"${courier.version}"` } });
}
