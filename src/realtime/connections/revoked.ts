import { credentialOf, type CredentialId } from '../../domain/access.ts';
import type { Context } from '../../ports/context.ts';
import type { Stop } from '../../ports/process.ts';
import { keepGoing } from '../../work/keep-going.ts';
import type { Connections } from './connections.ts';
import { socketsOf, type SocketServer } from '../sockets.ts';

type Needs = Pick<Context, 'clock' | 'credentials' | 'log' | 'settings'>;

/**
 * Closes connections whose session or key was ended before its time. It reacts to a message between processes, and it also checks from
 * time to time, because such a message can be lost.
 */
export function closeRevoked(ctx: Needs, io: SocketServer, connections: Connections): Stop {
  const close = (ended: ReadonlySet<CredentialId>): void => {
    if (ended.size === 0) return;
    for (const socket of socketsOf(io)) {
      const id = credentialOf(socket.data.caller);
      if (id !== null && ended.has(id)) connections.close(socket, 'ended');
    }
  };
  const survive = keepGoing(ctx.log, 'close ended sessions and keys');
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    await survive(async () => {
      const ids = socketsOf(io).flatMap(({ data }) => credentialOf(data.caller) ?? []);
      close(await ctx.credentials.listEnded([...new Set(ids)]));
    });
    isLooking = false;
  };
  const stopHearing = ctx.credentials.onEnded(close);
  const stopLooking = ctx.clock.real.every(ctx.settings.sockets.credentialsRealMs, () => void look());
  return () => {
    stopHearing();
    stopLooking();
  };
}
