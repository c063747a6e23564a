import { expect, test } from 'vitest';
import { linkEndsAt } from '../../../src/domain/views/link.ts';
import type { Delivery, TrackingLink } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createLinks } from '../../../src/models/deliveries/links.ts';
import { loadSecrets } from '../../../src/models/secrets/secrets.ts';
import { createSigner } from '../../../src/models/secrets/signer.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aDelivery, aStop, NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { preparedEngines } from '../../database.ts';
import { connectTo } from '../access/credentials-house.ts';

const engines = await preparedEngines('links');
const HOUR_MS = 3_600_000;
const refused = (code: string): object => expect.objectContaining({ code });

function linksOf(...known: Delivery[]) {
  const clock = handClock();
  const links = createLinks({
    linkKey: 'a key that signs links, of some length',
    deliveries: {
      findByLink: async (hash) => known.find(({ links }) => links.some(({ tokenHash }) => tokenHash === hash)) ?? null,
    },
    clock,
    settings: defaultSettings(),
  });
  return { clock, links };
}

test('[A17] a tracking token is 22 base62 characters, is derived from its id, and only its hash is stored', () => {
  const { links } = linksOf();
  const [{ id, tokenHash }] = links.make(1) as [TrackingLink];
  const token = links.tokenOf(id);
  expect(token).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(links.tokenOf(id)).toBe(token);
  expect(links.hash(token)).toBe(tokenHash);
  const many = new Set(links.make(1000).map((link) => links.tokenOf(link.id)));
  expect(many.size).toBe(1000);
});

test('[A18] a link shows its delivery until 2 h after its end, and is then gone', async () => {
  const [link] = linksOf().links.make(1) as [TrackingLink];
  const delivery = aDelivery({ links: [link], state: 'delivered', times: { deliveredAt: NOON } });
  const { links, clock } = linksOf(delivery);
  const opened = await links.open(links.tokenOf(link.id));
  expect(opened.delivery.id).toBe(delivery.id);
  expect(opened.caller).toEqual({
    type: 'recipient',
    deliveryId: delivery.id,
    linkId: link.id,
    stop: 1,
    expiresAt: NOON + 2 * HOUR_MS,
  });
  await clock.advance(2 * HOUR_MS);
  await expect(links.open(links.tokenOf(link.id))).rejects.toEqual(refused('tracking_link_expired'));
});

test('[A18] an unknown or malformed token is answered with 404', async () => {
  const { links } = linksOf();
  for (const token of [links.tokenOf(newId('trk')), '', '../secrets', 'x'.repeat(5000)]) {
    await expect(links.open(token)).rejects.toEqual(refused('tracking_link_not_found'));
  }
});

test('[A18] a link ends 72 h after creation, or after the windows of a scheduled delivery', () => {
  const { tracking } = defaultSettings();
  expect(linkEndsAt(aDelivery(), 1, tracking)).toBe(NOON + 72 * HOUR_MS);
  const window = { readyAt: NOON + 240 * HOUR_MS, deadlineAt: NOON + 241 * HOUR_MS };
  const later = aDelivery({ priority: 'scheduled', pickup: aStop(0, { window }) });
  expect(linkEndsAt(later, 1, tracking)).toBe(NOON + (241 + 72) * HOUR_MS);
});

test('[A19] processes that start together agree on secrets that are not given, and use given ones', async () => {
  const mongos = await Promise.all(Array.from({ length: 5 }, () => connectTo(engines)));
  const loaded = await Promise.all(mongos.map((mongo) => loadSecrets(mongo, {})));
  expect(new Set(loaded.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  expect(loaded[0]?.webhookKey).toHaveLength(32);
  const [mongo] = mongos;
  const given = mongo === undefined ? null : await loadSecrets(mongo, { PEPPER: 'given' });
  expect(given).toEqual({ ...loaded[0], pepper: 'given' });
});

test('[A20] a signature is valid only for its text and key', () => {
  const signer = createSigner('one key');
  const mac = signer.sign('cursor');
  expect(mac).toMatch(/^[\w-]{43}$/);
  expect(signer.verify('cursor', mac)).toBe(true);
  expect(signer.verify('cursors', mac)).toBe(false);
  expect(signer.verify('cursor', mac.slice(1))).toBe(false);
  expect(createSigner('another key').verify('cursor', mac)).toBe(false);
});

test('[A18] the link of an immediate delivery ends after 72 h, whatever its deadlines', () => {
  const { tracking } = defaultSettings();
  const window = { readyAt: null, deadlineAt: NOON + 700 * HOUR_MS };
  const dropOffs = [aStop(1, { window })];
  expect(linkEndsAt(aDelivery({ dropOffs }), 1, tracking)).toBe(NOON + 72 * HOUR_MS);
  expect(linkEndsAt(aDelivery({ dropOffs, priority: 'scheduled' }), 1, tracking)).toBe(NOON + 772 * HOUR_MS);
});
