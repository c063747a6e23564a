import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import {
  presentReconciliation,
  ReconciliationListQuery,
  ReconciliationView,
} from '../../wire/wallets/reconciliation.ts';

/** The daily comparisons of gateways with the ledger, for finance. */
export const RECONCILIATIONS = [
  endpoint({
    route: 'GET /wallets/reconciliations',
    name: 'listReconciliations',
    tag: 'Wallets',
    summary: 'List comparisons of gateways with the ledger',
    description:
      'Lists the comparisons of each gateway, mode and date, the latest date first: one of payments, and one of transfers ' +
      'if the gateway makes them. The server makes one `TOP_UPS_RECONCILE_AFTER_MS` after the date is over, and again ' +
      'while payments or transfers are unmatched. If some are, the log has an error.',
    query: ReconciliationListQuery,
    reply: listOf(ReconciliationView),
    status: 200,
    run: async (ctx, { query: { filter, page }, url }) => {
      const scope = `reconciliations ${JSON.stringify(filter)}`;
      const found = await ctx.reconciliations.list(filter, pageRequest(ctx.signer, scope, page));
      return listAnswer(ctx.signer, scope, url, mapPage(found, presentReconciliation));
    },
  }),
];
