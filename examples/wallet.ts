// A wallet: a top-up, a delivery that is paid from it, and the receipt of the delivery.
// Start the server with `npm start`, then run `node_modules/.bin/node examples/wallet.ts`.
// In a project of your own, import from `@dispatch-server/client` in place of the path.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../packages/client/src/client.ts';
import { written } from './written.ts';

type Demo = { base_url: string; center: { lat: number; lng: number }; vendor: { api_key: string } };
const demo = JSON.parse(readFileSync(process.env['DEMO_FILE'] ?? '.data/demo.json', 'utf8')) as Demo;
const baseUrl = process.env['BASE_URL'] ?? demo.base_url;
const client = createClient({ baseUrl, credential: process.env['API_KEY'] ?? demo.vendor.api_key });

/**
 * Reads again and again until the answer is as wanted. A webhook tells a service of your own when a delivery has ended.
 * Top-ups have no event, so read them again.
 */
async function readUntil<T>(read: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (let turn = 0; turn < 240; turn += 1) {
    const answer = await read();
    if (isWanted(answer)) return answer;
    await pause(500);
  }
  throw new Error('the answer did not come within two minutes');
}

async function showBalance(): Promise<void> {
  const { available, held, currency } = await client.wallets.getWalletBalance();
  console.log(`balance    ${written(available, currency)}, ${written(held, currency)} held`);
}

// 1. Top up. The payer pays on the page of the gateway. Here the example presses the button of the sandbox itself.
await showBalance();
const { id: topUpId, authorization_url: page } = await client.wallets.fundWallet({ amount: 10_000 });
console.log(`pay here   ${page}`);
if (page === null) throw new Error('the gateway has refused the top-up');
// The page is on the server's own address, which may differ from the one that this example uses.
await fetch(new URL(`${new URL(page).pathname}/pay`, baseUrl), { method: 'POST' });
const topUp = await readUntil(
  () => client.wallets.getTopUp(topUpId),
  ({ status }) => status !== 'pending',
);
console.log(`top-up     ${topUp.status}, ${written(topUp.amount, topUp.currency)}`);
await showBalance();

// 2. Order. The create reserves the fee and the tip, and the delivery charges them at its end.
const { lat, lng } = demo.center;
const contact = { name: 'Robin', phone: '+4237912345' };
const { id } = await client.express.create({
  pickup: { coordinates: { lat, lng }, contact },
  drop_off: [{ coordinates: { lat: lat + 0.0149, lng: lng - 0.0101 }, contact }],
  tip: 150,
  test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: 20 } },
});
await showBalance();
const { status } = await readUntil(
  () => client.express.get(id),
  ({ status: now }) => ['delivered', 'canceled', 'failed'].includes(now),
);
console.log(`ended      ${status}`);
await showBalance();

// 3. Read the receipt. The invoice of a month has the same form: `getInvoice('2026-01')`. Without JSON it is a PDF.
const { currency, lines, amount } = await client.billing.getInvoice(id);
for (const line of lines) console.log(`line       ${line.type} ${written(line.amount, currency)}`);
console.log(`total      ${written(amount, currency)}`);
