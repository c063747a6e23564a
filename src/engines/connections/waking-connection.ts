import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';

type PlainConnection = new (socket: Duplex, options: object) => object;

// The driver does not export its class. It must be the class of the driver that Mongoose uses.
const load = createRequire(import.meta.resolve('mongoose'));
const { Connection } = load('mongodb/lib/cmap/connection.js') as { readonly Connection: PlainConnection };

/**
 * A connection of the driver whose commands end with it. If a socket takes no bytes now, the driver waits until it drains or
 * fails. A socket that ends without an error does neither, so the driver alone would wait for ever. It writes to such a
 * socket in the moment between its end and its `close`, as when a mongod is killed.
 */
export class WakingConnection extends Connection {
  constructor(socket: Duplex, options: object) {
    super(socket, options);
    // The driver has heard `close` before, and stored the end of the connection. It looks for that when its wait is over.
    socket.on('close', () => void socket.emit('drain'));
  }
}
