import type { Context } from '../../ports/context.ts';
import { renew } from '../connections/auth.ts';
import { message, type Row } from '../handle.ts';
import { AuthBody, ResyncBody, type Namespace } from '../protocol.ts';
import type { Parts } from './parts.ts';
import type { ClientSocket } from '../sockets.ts';

type Needs = Pick<Context, 'credentials' | 'links' | 'clock' | 'log'>;

/** The messages that all readers may send. */
export function readerMessages<Me extends { readonly socket: ClientSocket }>(
  ctx: Needs,
  namespace: Namespace,
  { connections, replay }: Pick<Parts, 'connections' | 'replay'>,
): [string, Row<Me>][] {
  return [
    [
      'resync',
      message(ResyncBody, ({ socket }: Me, { delivery_id: deliveryId, after }, reply) =>
        replay.resync(socket, { deliveryId, after }, reply),
      ),
    ],
    ['auth', message(AuthBody, ({ socket }: Me, { token }) => renew(ctx, connections, namespace, socket, token))],
  ];
}
