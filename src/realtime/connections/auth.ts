import { refuseMissingScope, type Caller, type CallerType } from '../../domain/access.ts';
import { type DeliveryId, newId } from '../../domain/ids.ts';
import { presentRefusal } from '../../domain/refusals/present-refusal.ts';
import { Refusal, refuseCaller } from '../../domain/refusals/refusals.ts';
import { refuseSchema } from '../../domain/refusals/schema-errors.ts';
import type { Context } from '../../ports/context.ts';
import type { Connections } from './connections.ts';
import { HandshakeAuth, MOST_TOKEN_CHARACTERS, type Namespace } from '../protocol.ts';
import type { ClientSocket, SocketCaller, SocketServer } from '../sockets.ts';

type Needs = Pick<Context, 'credentials' | 'links' | 'clock' | 'log'>;

/** Most deliveries of one handshake. If it names more, the newest are replayed and the client resynchronises the others. */
export const MOST_NAMED = 500;
/** The `expires_in` of a credential that does not expire, seconds. */
const NO_END_S = 86_400;

const CALLER_OF: Readonly<Record<Namespace, CallerType>> = {
  '/courier': 'courier',
  '/vendor': 'vendor',
  '/track': 'recipient',
  '/admin': 'staff',
};

/**
 * Guards a namespace: a client joins only with a token of the right kind. A refused client receives the problem in
 * `connect_error.data`. If the server fails, it closes the connection instead, because clients reconnect by themselves
 * after a close but not after a refusal.
 */
export function guardNamespace(ctx: Needs, io: SocketServer, namespace: Namespace, connections: Connections): void {
  io.of(namespace).on('connection', (socket) => {
    connections.ends.watch(socket);
    connections.connectionOf(socket).leaveIfClosed(socket);
  });
  io.of(namespace).use((socket, next) => {
    const connection = connections.connectionOf(socket);
    const { address } = connection.from;
    const admitOne = async (): Promise<void> => {
      socket.data.caller = await admit(ctx, namespace, socket);
      // The server has begun to stop meanwhile, and would not warn this client.
      if (!connections.isOpen) throw new Refusal('busy');
      connections.holders.take(socket.data.caller, connection);
    };
    connection.handshake(namespace, admitOne).then(
      () => {
        socket.once('disconnect', () => connection.leave(namespace));
        next();
      },
      (error: unknown) => {
        const refusal = error instanceof Refusal && error.code !== 'busy' ? error : new Refusal('busy');
        if (!connections.isOpen) {
          connection.close('drain');
        } else if (refusal === error) {
          ctx.log.info({ address, namespace, code: refusal.code }, 'a handshake was refused');
        } else if (connection.isOpen) {
          ctx.log.error({ error, namespace }, 'a handshake failed');
          connection.close('failed');
        }
        // Socket.IO keeps the socket until `next` is called, even if its connection has closed.
        next(asConnectError(refusal, namespace));
      },
    );
  });
}

/** Authenticates the client, and then parses the rest of the handshake. */
async function admit(ctx: Needs, namespace: Namespace, socket: ClientSocket): Promise<SocketCaller> {
  const { auth } = socket.handshake;
  const token: unknown = auth['token'];
  if (typeof token !== 'string' || token.length > MOST_TOKEN_CHARACTERS) throw new Refusal('unauthorized');
  const caller = await callerOf(ctx, namespace, token);
  const parsed = HandshakeAuth.safeParse(auth);
  if (!parsed.success) throw refuseSchema(HandshakeAuth, auth, parsed.error.issues);
  socket.data.lastSeq = newestNamed(parsed.data.last_seq ?? {});
  socket.data.joinedAt = ctx.clock.real.elapsed();
  return caller;
}

async function callerOf(ctx: Needs, namespace: Namespace, token: string): Promise<SocketCaller> {
  const caller =
    namespace === '/track' ? (await ctx.links.open(token)).caller : await ctx.credentials.authenticate(token);
  if (caller.type === 'internal' || caller.type !== CALLER_OF[namespace])
    throw refuseCaller(caller.type, [CALLER_OF[namespace]]);
  if (caller.type === 'vendor') refuseMissingScope(caller.scopes, 'deliveries:read');
  return caller;
}

/** Keeps the newest deliveries. Ids sort by their creation, so the last ones are the newest. */
function newestNamed(named: Record<string, number>): ReadonlyMap<DeliveryId, number> {
  const entries = Object.entries(named) as [DeliveryId, number][];
  if (entries.length > MOST_NAMED) entries.sort(([a], [b]) => (a < b ? 1 : -1));
  return new Map(entries.slice(0, MOST_NAMED));
}

function asConnectError(refusal: Refusal, namespace: Namespace): Error & { data: object } {
  return Object.assign(new Error(refusal.message), { data: presentRefusal(refusal, newId('req'), namespace) });
}

/** Renews a connection with a new token of the same caller. Refuses `forbidden` for the token of another caller. */
export async function renew(
  ctx: Needs,
  connections: Connections,
  namespace: Namespace,
  socket: ClientSocket,
  token: string,
): Promise<{ expires_in: number }> {
  const caller = await callerOf(ctx, namespace, token);
  if (subjectOf(caller) !== subjectOf(socket.data.caller)) {
    throw new Refusal('forbidden', { detail: 'The new token must belong to the same caller as the connection.' });
  }
  connections.ends.move(socket, caller);
  const endsAt = caller.expiresAt;
  return { expires_in: endsAt === null ? NO_END_S : Math.max(0, Math.floor((endsAt - nowOf(ctx, caller)) / 1000)) };
}

/** Tokens live in machine time, tracking links in service time. */
function nowOf({ clock }: Pick<Context, 'clock'>, caller: SocketCaller): number {
  return caller.type === 'recipient' ? clock.now() : clock.real.now();
}

function subjectOf(caller: Exclude<Caller, { type: 'internal' }>): string {
  switch (caller.type) {
    case 'vendor':
      return `vendor ${caller.vendorId} ${caller.liveMode}`;
    case 'courier':
      return `courier ${caller.courierId}`;
    case 'staff':
      return `staff ${caller.staffId}`;
    case 'recipient':
      return `recipient ${caller.deliveryId} ${caller.stop}`;
  }
}
