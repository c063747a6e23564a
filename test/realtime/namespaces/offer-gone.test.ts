import { expect, test } from 'vitest';
import { withdrawForBetter } from '../../../src/dispatch/close-offer.ts';
import { GONE_REASONS } from '../../../src/domain/offers/offer.ts';
import { asyncapi } from '../../../src/realtime/asyncapi.ts';
import { OfferWithdrawn } from '../../../src/realtime/pushes.ts';
import { anOffer } from '../../builders.ts';
import { until } from '../../until.ts';
import { bear, openSite, storeCourier, tokensOf } from '../house.ts';

const site = await openSite('offer-gone');
const tokens = tokensOf(site);
const [here, there] = [await site.start(), await site.start()];

test('[O30] the phone learns why an offer is no longer open, on any process', async () => {
  const courier = await storeCourier(site);
  const phone = await site.join(there, '/courier', { token: tokens.courier(courier) }).ready();
  const delivery = await bear(site);
  const now = site.clock.now();
  const own = { deliveryId: delivery.id, courierId: courier.id, createdAt: now, expiresAt: now + 25_000 };
  const offer = anOffer(own);
  expect(await site.offers.open(offer)).toBe(true);
  expect(await withdrawForBetter(here.ctx, offer)).toBe(true);
  await until(() => phone.named('offer.withdrawn').length === 1);
  expect(phone.named('offer.withdrawn')).toEqual([{ offer_id: offer.id, reason: 'better_match' }]);
  for (const reason of GONE_REASONS) {
    const state = reason === 'expired' ? 'expired' : 'withdrawn';
    here.ctx.notices.offerWithdrawn(anOffer({ ...own, state, reason, closedAt: now }));
  }
  await until(() => phone.named('offer.withdrawn').length === 1 + GONE_REASONS.length);
  const told = phone.named('offer.withdrawn').map((body) => OfferWithdrawn.parse(body).reason);
  expect(told).toEqual(['better_match', ...GONE_REASONS]);
});

test('[O30] the document of the sockets lists and explains every reason', () => {
  const { components } = asyncapi() as { components: { schemas: Record<string, unknown> } };
  const schema = components.schemas['offer.withdrawn'] as { properties: { reason: { enum: string[] } & object } };
  const { reason } = schema.properties;
  expect(reason.enum).toEqual([...GONE_REASONS]);
  for (const word of GONE_REASONS) expect((reason as { description?: string }).description).toContain(`\`${word}\`:`);
});
