import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { AccountKey } from '../../../ports/access.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { EndedView } from '../../wire/access/session.ts';
import {
  NewStaffBody,
  OwnPasswordBody,
  presentStaff,
  ResetStaffBody,
  StaffRolesBody,
  StaffView,
} from '../../wire/access/staff.ts';
import { OwnListQuery } from '../../wire/deliveries/delivery-list.ts';

const tag = 'Access';

/** The accounts of staff, for admins, and the own password. */
export const STAFF = [
  endpoint({
    route: 'POST /staff',
    name: 'addStaff',
    tag,
    summary: 'Add a member of staff',
    description: 'Adds an account. Without a password the answer contains a random one, which no other answer shows.',
    body: NewStaffBody,
    reply: StaffView,
    status: 201,
    run: async (ctx, { body: { email, roles, password }, newId, entropy }) => {
      const first = password ?? ctx.credentials.newPassword(entropy());
      const member = await ctx.staff.add({ email, roles, password: first }, newId('stf'));
      if (member === null) throw new Refusal('duplicate_staff');
      return { ...presentStaff(member), ...(password === undefined ? { password: first } : {}) };
    },
  }),
  endpoint({
    route: 'GET /staff',
    name: 'listStaff',
    tag,
    summary: 'List the members of staff',
    description: 'Lists the accounts of staff, newest first. Removed accounts are not among them.',
    query: OwnListQuery,
    reply: listOf(StaffView),
    status: 200,
    run: async (ctx, { query, url }) => {
      const page = await ctx.staff.list(pageRequest(ctx.signer, 'staff', query));
      return listAnswer(ctx.signer, 'staff', url, mapPage(page, presentStaff));
    },
  }),
  endpoint({
    route: 'PATCH /staff/{id}',
    name: 'changeStaffRoles',
    tag,
    summary: 'Change the roles of a member of staff',
    description: 'Replaces the roles and ends all sessions of the account, so that the new roles count at once.',
    id: 'staff',
    body: StaffRolesBody,
    reply: StaffView,
    status: 200,
    run: async (ctx, { id, body }) => presentStaff(await ctx.staff.setRoles(id, body.roles)),
  }),
  endpoint({
    route: 'POST /staff/{id}/reset',
    name: 'resetStaffPassword',
    tag,
    summary: 'Reset the password of a member of staff',
    description: 'Sets a new password and ends all sessions of the account. Without a password it sets a random one.',
    id: 'staff',
    body: ResetStaffBody,
    reply: StaffView,
    status: 200,
    run: async (ctx, { id, body: { password }, entropy }) => {
      const next = password ?? ctx.credentials.newPassword(entropy());
      const member = await ctx.staff.reset(id, next);
      return { ...presentStaff(member), ...(password === undefined ? { password: next } : {}) };
    },
  }),
  endpoint({
    route: 'DELETE /staff/{id}',
    name: 'removeStaff',
    tag,
    summary: 'Remove a member of staff',
    description: 'Removes the account and ends its sessions. The last admin cannot be removed.',
    id: 'staff',
    status: 204,
    run: async (ctx, { id }) => {
      await ctx.staff.remove(id);
      return new Answer(undefined);
    },
  }),
  endpoint({
    route: 'POST /staff/{id}/end-sessions',
    name: 'endStaffSessions',
    tag,
    summary: 'End all sessions of a member of staff',
    description: 'Ends all sessions of the account at once, with their tokens and connections. They can log in again.',
    id: 'staff',
    reply: EndedView,
    status: 200,
    run: async (ctx, { id }) => endAll(ctx, id, { email: (await ctx.staff.get(id)).email }),
  }),
  endpoint({
    route: 'POST /couriers/{id}/end-sessions',
    name: 'endCourierSessions',
    tag,
    summary: 'End all sessions of a courier',
    description: 'Logs a courier out on every phone, at once. They can log in again with a new one-time code.',
    id: 'courier',
    reply: EndedView,
    status: 200,
    run: async (ctx, { id }) => endAll(ctx, id, { courierId: (await ctx.couriers.get(id)).id }),
  }),
  endpoint({
    route: 'POST /staff/me/password',
    name: 'changeOwnPassword',
    tag,
    bodyLimit: 'maxAuthBodyBytes',
    summary: 'Change the own password',
    description:
      'Sets the own password and ends all sessions of the account, this one included. Wrong tries are counted.',
    body: OwnPasswordBody,
    status: 204,
    run: async (ctx, { caller, body, address }) => {
      const { id, email } = await ctx.staff.get(caller.staffId);
      // If an earlier try of this request changed the password, `current_password` is the old one.
      if (!(await ctx.audit.isEdited()))
        await ctx.credentials.checkPassword(email, body.current_password, address.network).catch(asWrongPassword);
      await ctx.staff.setPassword(id, body.new_password);
      return new Answer(undefined);
    },
  }),
];

async function endAll({ audit, credentials }: HttpContext, objectId: string, account: AccountKey) {
  const about = { action: 'session.end', objectId, vendorId: null, liveMode: null } as const;
  const ended = await credentials.endSessionsOf(account, (from) =>
    audit.draft({ ...about, changes: { sessions: { from, to: 0 } } }),
  );
  return { object: 'ended_sessions' as const, ended };
}

/** A 401 would make a client renew its token, which is valid. */
function asWrongPassword(error: unknown): never {
  throw error instanceof Refusal && error.code === 'unauthorized' ? new Refusal('wrong_password') : error;
}
