import { expect, test } from 'vitest';
import { readConfig, settingNames } from '../../../src/config.ts';
import { forgetSecrets, listOtherSecrets, recordSecrets } from '../../../src/models/secrets/secret-hashes.ts';
import { loadSecrets, SECRET_NAMES } from '../../../src/models/secrets/secrets.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import { SECRETS_KEPT } from '../../../src/models/secrets/secret-shape.ts';

const house = await openHouse('secrets');

test('[Z61] every secret is in the settings reference, and production requires it; elsewhere the database keeps it', async () => {
  expect(SECRET_NAMES.length).toBeGreaterThan(3);
  expect(settingNames()).toEqual(expect.arrayContaining(SECRET_NAMES));
  let reasons = '';
  try {
    readConfig({ NODE_ENV: 'production' });
  } catch (error) {
    reasons = String(error);
  }
  for (const name of SECRET_NAMES) expect(reasons).toContain(`${name}: must be set in production`);
  const [first, second] = await Promise.all([loadSecrets(house.mongo, {}), loadSecrets(house.mongo, {})]);
  expect(second).toEqual(first);
  expect(Object.keys(first)).toHaveLength(SECRET_NAMES.length);
  const rows = await house.mongo.collection(SECRETS_KEPT).find({}).toArray();
  expect(rows.map(({ _id }) => _id).toSorted()).toEqual(SECRET_NAMES.toSorted());
});

test('[Z61] a given secret is used, and the database does not store another one', async () => {
  await house.mongo.collection(SECRETS_KEPT).deleteMany({});
  const given = 'x'.repeat(32);
  expect(await loadSecrets(house.mongo, { PEPPER: given })).toMatchObject({ pepper: given });
  expect(await house.mongo.collection(SECRETS_KEPT).findOne({ _id: 'PEPPER' })).toBeNull();
});

test('[Z67] a command knows which of its secrets differ from those of the latest server', async () => {
  const own = await loadSecrets(house.mongo, {});
  expect(await listOtherSecrets(house.mongo, own)).toEqual([]);
  const given = { PEPPER: 'p'.repeat(32), LINK_KEY: 'l'.repeat(32) };
  await recordSecrets(house.mongo, await loadSecrets(house.mongo, given));
  expect(await listOtherSecrets(house.mongo, own)).toEqual(['LINK_KEY', 'PEPPER']);
  expect(await listOtherSecrets(house.mongo, await loadSecrets(house.mongo, given))).toEqual([]);
  await forgetSecrets(house.mongo);
  expect(await listOtherSecrets(house.mongo, own)).toEqual([]);
  await recordSecrets(house.mongo, own);
  expect(await listOtherSecrets(house.mongo, own)).toEqual([]);
});

test('[Z35] a server learns which of its secrets differ from those of the server that started before it', async () => {
  await forgetSecrets(house.mongo);
  const own = await loadSecrets(house.mongo, {});
  const other = await loadSecrets(house.mongo, { PEPPER: 'q'.repeat(32), WEBHOOK_KEY: 'w'.repeat(32) });
  const learned: string[][] = [];
  for (const secrets of [own, own, other, other, own]) learned.push(await recordSecrets(house.mongo, secrets));
  expect(learned).toEqual([[], [], ['WEBHOOK_KEY', 'PEPPER'], [], ['WEBHOOK_KEY', 'PEPPER']]);
});
