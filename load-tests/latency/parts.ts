// Takes a create apart and measures each part inside one process, without load.
import { createDelivery } from '../../src/dispatch/deliveries/create-delivery.ts';
import { newId } from '../../src/domain/ids.ts';
import { contentHash, NewDeliveryBody } from '../../src/http/wire/deliveries/delivery.ts';
import { quantile } from '../statistics.ts';
import { withCore } from '../stored/core.ts';
import { createBody, type Material } from './requests.ts';

/** The median time of one part, µs. */
export type Part = { readonly name: string; readonly us: number };

const TIMES = 500;
const DEAF = {
  offerNew: async () => false,
  offerWithdrawn: () => {},
  isConnected: async () => false,
  alarm: () => {},
  hint: () => {},
};

/** Takes a create apart: each part is called as the server calls it, one at a time. */
export function partsOf(material: Material): Promise<Part[]> {
  const { site, accounts } = material;
  return withCore(site, async ({ parts }) => {
    const commits: number[] = [];
    const commit: typeof parts.commit = async (change) => {
      const startedAt = performance.now();
      const result = await parts.commit(change);
      commits.push((performance.now() - startedAt) * 1000);
      return result;
    };
    const ctx = { ...parts, commit, notices: DEAF };
    const [account] = accounts;
    if (account === undefined) throw new Error('there is no account');
    const caller = await parts.credentials.authenticate(account.key);
    if (caller.type !== 'vendor') throw new Error('the key of a vendor must prove a vendor');
    const owner = { vendorId: caller.vendorId, liveMode: caller.liveMode, channel: 'express' } as const;
    const text = JSON.stringify(createBody(account, material));
    const { content } = NewDeliveryBody.parse(JSON.parse(text));
    const create = () =>
      createDelivery(ctx, { ...owner, ...content, contentHash: contentHash(content) }, caller, newId('del'));
    return [
      {
        name: 'auth: a key that was used before',
        us: await medianUs(() => parts.credentials.authenticate(account.key)),
      },
      { name: 'parse: JSON and schema', us: await medianUs(() => NewDeliveryBody.parse(JSON.parse(text))) },
      { name: 'create: reads, decision and commit', us: await medianUs(create) },
      { name: 'of it the commit', us: quantile(commits, 0.5) },
    ];
  });
}

async function medianUs(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < TIMES; turn += 1) {
    const startedAt = performance.now();
    await run();
    times.push((performance.now() - startedAt) * 1000);
  }
  return quantile(times, 0.5);
}
