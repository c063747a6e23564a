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
      'Lists one comparison for each gateway, mode and date, the latest date first. The server makes it ' +
      '`TOP_UPS_RECONCILE_AFTER_MS` after the date is over, and again while payments are unmatched. If some are, the log ' +
      'has an error.',
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
