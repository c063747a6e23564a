// A persistent phone of a courier: it repeats a message on other servers until it is answered.
import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Ack } from '../../../src/realtime/protocol.ts';
import { judgeRefusal } from '../../simulate/people/act.ts';
import type { Connection } from '../../clients/connection.ts';

/** Longer than a busy server takes to answer. A frozen one takes longer. */
const ANSWER_MS = 4000;
const AGAIN_MS = 200;
/** Tries for at least a minute. A courier who is away for longer has lost the delivery anyway. */
const MOST_TRIES = 60;

/** Tries once. Null without an answer: then the connection is closed, and the next try goes to another server. */
export async function ask(connection: Connection, message: string, body: object): Promise<Ack | null> {
  const socket = await connection.whenLive();
  return socket === null ? null : askOn(socket, message, body);
}

/** The same on the given socket. */
export async function askOn(socket: Socket, message: string, body: object): Promise<Ack | null> {
  try {
    return (await socket.timeout(ANSWER_MS).emitWithAck(message, body)) as Ack;
  } catch {
    // Without an answer it is unknown whether the message arrived. A message that is in flight may be processed later.
    socket.disconnect();
    return null;
  }
}

/**
 * Sends a message until it is settled.
 * @param aim the state that the message leads to; if the server refuses from this state or a later one, an earlier try
 * worked
 */
export async function insist(
  connection: Connection,
  message: string,
  body: object,
  aim: string,
): Promise<'done' | 'lost'> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const ack = await ask(connection, message, body);
    if (ack?.ok === true) return 'done';
    const verdict = ack === null ? 'again' : judgeRefusal(ack.problem, aim);
    if (verdict !== 'again') return verdict;
    await pause(AGAIN_MS);
  }
  return 'lost';
}

/** Opens a second socket of the same courier to another server. Null if this fails. */
export async function openSecond(address: string, token: string): Promise<Socket | null> {
  const socket = io(`${address}/courier`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    timeout: ANSWER_MS,
    auth: { token },
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('connect_error', () => resolve(false));
  });
  if (isOpen) return socket;
  socket.disconnect();
  return null;
}
