import { expect, test } from 'vitest';
import type { Caller, CredentialId } from '../../../src/domain/access.ts';
import { newId } from '../../../src/domain/ids.ts';
import { CallerCache } from '../../../src/models/access/caller-cache.ts';
import { handClock } from '../../clock.ts';

const HOUR_MS = 3_600_000;
const NONE: ReadonlySet<CredentialId> = new Set();

const aVendorCaller = (expiresAt: number | null = null): Extract<Caller, { type: 'vendor' }> => ({
  type: 'vendor',
  vendorId: newId('ven'),
  liveMode: false,
  keyId: newId('key'),
  scopes: [],
  expiresAt,
  apiVersion: '1',
});

test('[A111] the entry of a vendor who has called within a minute is renewed, and that of a silent one ends', async () => {
  const clock = handClock();
  const asked: (readonly CredentialId[])[] = [];
  const cache = new CallerCache(clock, async (ids) => {
    asked.push(ids);
    return NONE;
  });
  const [busy, silent] = [aVendorCaller(), aVendorCaller()];
  cache.set('silent', silent);
  cache.set('busy', busy);
  for (let s = 0; s < 80; s += 4) {
    expect(cache.get('busy')).toBe(busy);
    await clock.advance(4_000);
  }
  expect(asked).toHaveLength(20);
  expect(asked[0]).toEqual([silent.keyId, busy.keyId]);
  expect(asked.at(-1)).toEqual([busy.keyId]);
  expect(cache.get('silent')).toBeNull();
});

test('[A111] no renewal outlasts the end of a key, and none brings back a key that has ended meanwhile', async () => {
  const clock = handClock();
  const ending = aVendorCaller(clock.now() + 6_000);
  const revoked = aVendorCaller(clock.now() + HOUR_MS);
  const cache = new CallerCache(clock, async () => {
    cache.drop(new Set([revoked.keyId]));
    return NONE;
  });
  cache.set('ending', ending);
  cache.set('revoked', revoked);
  await clock.advance(4_000);
  expect(cache.get('ending')).toBe(ending);
  await clock.advance(1_500);
  expect(cache.get('ending')).toBe(ending);
  expect(cache.get('revoked')).toBeNull();
  await clock.advance(500);
  expect(cache.get('ending')).toBeNull();
});

test('[A111] without an answer about the keys, nothing is renewed', async () => {
  const clock = handClock();
  const cache = new CallerCache(clock, () => Promise.reject(new Error('away')));
  cache.set('key', aVendorCaller());
  await clock.advance(4_000);
  expect(cache.get('key')).not.toBeNull();
  await clock.advance(1_000);
  expect(cache.get('key')).toBeNull();
});
