// Stored objects of money: what a courier has earned and is paid, and what the demo's vendor pays.
import { setTimeout as pause } from 'node:timers/promises';
import { courierToken, staffToken, type People } from './people.ts';

type List = { readonly data: readonly { readonly id: string }[] };

const LOOK_EVERY_MS = 200;
const MOST_LOOKS = 150;
/** A top-up that nobody pays stays pending. */
const TOP_UP = { amount: 100_000 } as const;

/**
 * Ends a delivery that the courier carries, and asks for the payout of what they have earned. Tops up a wallet. Returns
 * ids by prefix.
 */
export async function makeMoney(people: People, deliveryId: string): Promise<Record<string, readonly string[]>> {
  const { api, facts, staff, courierId } = people;
  const vendor = facts.vendor.api_key;
  const { currency } = await api.call<{ currency: string }>('GET', '/wallets/balance', { token: vendor });
  const account = { holder_name: 'Ada Obi', currency, country: 'NG', account_number: '0690000031', bank_code: '044' };
  await api.call('PUT', `/couriers/${courierId}/bank-account`, { token: staff, body: account });
  // Only couriers depart, and dispatchers may record the rest from anywhere.
  const steps = [
    ['pick-up', staff],
    ['depart', await courierToken(people)],
    ['stops/1/deliver', staff],
  ] as const;
  for (const [step, token] of steps) await api.call('POST', `/deliveries/${deliveryId}/${step}`, { token, body: {} });
  const finance = await staffToken(people);
  await api.call('POST', '/payouts/process', { token: finance, body: { currency } });
  const topUp = await api.call<{ id: string }>('POST', '/wallets/fund', { token: vendor, body: TOP_UP });
  const transactions = await api.call<List>('GET', '/billing/transactions?limit=4', { token: vendor });
  return {
    pay: await payoutsOf(people, finance),
    top: [topUp.id],
    txn: transactions.data.map(({ id }) => id),
  };
}

/** The payouts of the courier, as soon as there is one. @throws Error if none is made for half a minute */
async function payoutsOf({ api, courierId }: People, token: string): Promise<string[]> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const { data } = await api.call<List>('GET', `/payouts?courier_id=${courierId}`, { token });
    if (data.length > 0) return data.map(({ id }) => id);
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('the courier of the run is not paid');
}
