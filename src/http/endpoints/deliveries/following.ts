import { answerLink, answerLiveLocation, getVisible } from '../../answers.ts';
import { endpoint, type Endpoint } from '../../endpoint.ts';
import { LinkView, LiveLocationView } from '../../wire/deliveries/tracking.ts';

/** The row with the links of the recipients. The platform and external businesses use the same one under two routes. */
export function linking(
  route: 'GET /deliveries/{id}/tracking-url' | 'GET /express/deliveries/{id}/tracking-link',
  { name, tag }: Pick<Endpoint, 'name' | 'tag'>,
): Endpoint {
  return endpoint({
    route,
    name,
    tag,
    summary: 'Get the tracking links of the recipients, one for each drop-off',
    description:
      'Returns one link for each drop-off. Its page shows the recipient their own stop and the courier on a map. ' +
      'A link works until 2 hours after the delivery ends, 72 hours at most.',
    id: 'delivery',
    reply: LinkView,
    status: 200,
    refuses: [410],
    run: async (ctx, { caller, id }) => answerLink(ctx, await getVisible(ctx, caller, id)),
  });
}

/** The row with the place of the courier, under the same two families of routes. */
export function locating(
  route: 'GET /deliveries/{id}/live-location' | 'GET /express/deliveries/{id}/tracking',
  { name, tag }: Pick<Endpoint, 'name' | 'tag'>,
): Endpoint {
  return endpoint({
    route,
    name,
    tag,
    summary: 'Read the location of the courier and the expected arrival',
    description:
      'Returns the last known position of the courier and the expected arrival at the next stop. The server refuses ' +
      'the request before a courier is assigned and after the delivery has ended.',
    id: 'delivery',
    reply: LiveLocationView,
    status: 200,
    refuses: [409],
    run: async (ctx, { caller, id }) => answerLiveLocation(ctx, await getVisible(ctx, caller, id)),
  });
}
