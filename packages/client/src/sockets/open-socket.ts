import { io, type Socket } from 'socket.io-client';

/** The longest wait for a transport, ms. */
const CONNECT_MS = 8000;

/** A socket of Socket.IO that has not connected yet, and does so once. @param auth sends the data of the handshake */
export function openSocket(address: string, namespace: string, auth: (send: (data: object) => void) => void): Socket {
  const socket = io(`${address.replace(/\/+$/, '')}${namespace}`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    autoConnect: false,
    timeout: CONNECT_MS,
    auth,
  });
  // Socket.IO takes the data of refusals and acknowledgements for granted, and would throw where nobody can catch it.
  socket.io.on('packet', (packet) => void (packet.data ??= []));
  return socket;
}
