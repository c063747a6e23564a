import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { SessionInfo } from '../../../ports/access.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf } from '../../lists.ts';
import type { CallerOf } from '../../policy.ts';
import { EndedView, EndSessionsQuery, presentSession, SessionView } from '../../wire/access/session.ts';

const tag = 'Sign-in';
const bodyLimit = 'maxAuthBodyBytes';

/** The logins of the caller's own account. */
export const SESSIONS = [
  endpoint({
    route: 'GET /auth/sessions',
    name: 'listSessions',
    tag,
    summary: 'List the sessions of the own account',
    description: 'Lists the live sessions of the account, newest first. There are at most 50, so all are on one page.',
    reply: listOf(SessionView),
    status: 200,
    run: async (ctx, { caller, url }) => {
      const own = await ownSessions(ctx, caller);
      const data = own.map((session) => presentSession(session, caller.sessionId));
      return listAnswer(ctx.signer, 'sessions', url, { data, next: null });
    },
  }),
  endpoint({
    route: 'DELETE /auth/sessions/{id}',
    name: 'endSession',
    tag,
    bodyLimit,
    summary: 'End one session of the own account',
    description: 'Ends a session of the account at once, with its tokens and its connections in every process.',
    id: 'session',
    status: 204,
    run: async (ctx, { caller, id }) => {
      const own = await ownSessions(ctx, caller);
      if (!own.some((session) => session.id === id)) throw new Refusal('session_not_found');
      await ctx.credentials.endSessions([id]);
      return new Answer(undefined);
    },
  }),
  endpoint({
    route: 'DELETE /auth/sessions',
    name: 'endSessions',
    tag,
    bodyLimit,
    summary: 'End all other sessions of the own account',
    description:
      'Ends all sessions of the account but the one that asks. With `keep_current=false` it ends that one too.',
    query: EndSessionsQuery,
    reply: EndedView,
    status: 200,
    run: async (ctx, { caller, query }) => {
      const own = await ownSessions(ctx, caller);
      const ids = own.map(({ id }) => id).filter((id) => !query.keep_current || id !== caller.sessionId);
      await ctx.credentials.endSessions(ids);
      return { object: 'ended_sessions' as const, ended: ids.length };
    },
  }),
];

/** The caller's sessions. The account is that of the session that asks, which may have ended a moment ago. */
async function ownSessions(
  { credentials }: HttpContext,
  { sessionId }: CallerOf<'GET /auth/sessions'>,
): Promise<readonly SessionInfo[]> {
  const account = await credentials.accountOf(sessionId);
  if (account === null) throw new Refusal('unauthorized');
  return credentials.listSessions(account);
}
