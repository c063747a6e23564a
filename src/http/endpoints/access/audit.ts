import { readSpan } from '../../../vendors/read-span.ts';
import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { AuditQuery, AuditView, presentAudit, presentToVendor } from '../../wire/access/audit.ts';

/** The audit log. */
export const AUDIT = [
  endpoint({
    route: 'GET /audit',
    tag: 'Access',
    name: 'listAuditEntries',
    summary: 'List the audit log, newest first',
    description:
      'Lists the actions of staff, operators and vendors on accounts and deliveries. Admins see all entries. ' +
      'A vendor sees the entries of its account and mode, without the ids and networks of others.',
    query: AuditQuery,
    reply: listOf(AuditView),
    status: 200,
    run: async (ctx, { caller, query, url }) => {
      const isVendors = caller.type === 'vendor';
      const vendorId = isVendors ? caller.vendorId : undefined;
      const own = isVendors ? { vendorId: caller.vendorId, liveMode: caller.liveMode } : {};
      const filter = {
        ...own,
        ...(query.actor === undefined ? {} : { actorId: query.actor }),
        ...(query.action === undefined ? {} : { action: query.action }),
        ...(query.object === undefined ? {} : { objectId: query.object }),
        ...(query.date_range === undefined ? {} : await readSpan(ctx, vendorId, query.date_range)),
      };
      const scope = `audit ${JSON.stringify(filter)}`;
      const page = await ctx.audit.list(filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, isVendors ? presentToVendor : presentAudit));
    },
  }),
];
