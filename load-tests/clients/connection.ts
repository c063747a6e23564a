// One Socket.IO connection of the client, which returns fast and notes answers with status 500.
import type { Session } from '../../packages/client/src/credentials.ts';
import * as client from '../../packages/client/src/sockets/connection.ts';
import type { Ack } from '../../src/realtime/protocol.ts';

export type ConnectionOptions = Omit<client.ConnectionOptions, 'baseUrl' | 'backoff'> & {
  readonly addresses: readonly string[];
  /** An answer has status 500. */
  readonly onServerError?: (what: string) => void;
};

export type Connection = client.Connection & {
  /** Notes the answer to a message if it has status 500. */
  heed(message: string, ack: Ack): void;
};

const BACKOFF = { firstMs: 400, mostMs: 400 };

/** Connects, and reconnects to another server if the connection is lost, until it is closed. */
export function keepConnected({ addresses, onServerError, ...options }: ConnectionOptions): Connection {
  return Object.assign(client.keepConnected({ ...options, baseUrl: addresses, backoff: BACKOFF }), {
    heed: (message: string, ack: Ack) => {
      if (!ack.ok && ack.problem.status === 500) onServerError?.(`${message}: ${ack.problem.request_id}`);
    },
  });
}

/** The handshake of a user, who gets another token if the server refuses theirs. */
export function handshakeOf(session: Session): Required<Pick<ConnectionOptions, 'auth' | 'onRefused'>> {
  let token = '';
  return {
    auth: async () => {
      token = await session.token();
      return { token };
    },
    onRefused: () => {
      session.distrust(token);
      return true;
    },
  };
}
