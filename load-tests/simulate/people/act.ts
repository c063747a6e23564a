// Sends a message persistently. It is repeated after reconnects until the server accepts it, or says that it is done or
// lost.
import { setTimeout as pause } from 'node:timers/promises';
import type { Ack } from '../../../src/realtime/protocol.ts';
import type { Connection } from '../../clients/connection.ts';
import type { ServiceTime } from '../../clients/service-time.ts';
import { noteSurprise, type Tally } from './tally.ts';
import type { Problem } from '../../clients/wire.ts';

export type Act = {
  readonly connection: Connection;
  readonly time: ServiceTime;
  readonly tally: Tally;
  /** Another courier has the delivery now, or it has ended. */
  readonly isOver: () => boolean;
};

const ACK_MS = 5000;
const AGAIN_MS = 200;
const MOST_TRIES = 300;
/** The server does not know yet that the courier is there. The next fix will report it. */
const NOT_YET_SEEN = ['too_far_from_stop', 'courier_position_unknown'];
/** States in the order in which a courier reaches them. */
const WAY = ['assigned', 'picked_up', 'in_transit', 'delivered'];

/**
 * Sends a message until it is settled.
 * @param aim the state that the message leads to; if the server refuses from this state or a later one, an earlier try
 * worked
 * @returns `done`, or `lost` if the delivery is not this courier's any more
 */
export async function act(
  { connection, time, tally, isOver }: Act,
  message: string,
  body: object,
  aim: string,
): Promise<'done' | 'lost'> {
  for (let tries = 0; tries < MOST_TRIES && !isOver(); tries += 1) {
    if (tries > 0) tally.actionsRetried += 1;
    const ack = await ask(connection, message, body);
    if (ack?.ok === true) return 'done';
    const verdict = ack === null ? 'again' : judgeRefusal(ack.problem, aim);
    if (verdict !== 'again') {
      if (verdict === 'lost' && ack !== null) noteSurprise(tally, `${message}: ${ack.problem.code}`);
      return verdict;
    }
    if (ack !== null) await pause(Math.max(5, Math.min(AGAIN_MS, time.toRealMs(4000))));
  }
  return 'lost';
}

/** Tries once. Null without an answer. */
export async function ask<T extends object>(
  connection: Connection,
  message: string,
  body: object,
): Promise<Ack<T> | null> {
  const socket = await connection.whenLive();
  if (socket === null) return null;
  try {
    const ack = (await socket.timeout(ACK_MS).emitWithAck(message, body)) as Ack<T>;
    connection.heed(message, ack);
    return ack;
  } catch {
    // Without an answer in time, or after a lost connection, the outcome is unknown. The caller may ask again.
    return null;
  }
}

/** Judges an earlier try of the same message by a refusal. */
export function judgeRefusal(problem: Problem, aim: string): 'done' | 'lost' | 'again' {
  if (problem.retryable || NOT_YET_SEEN.includes(problem.code)) return 'again';
  if (problem.code === 'stop_not_open') return 'done';
  if (problem.code !== 'invalid_state_transition') return 'lost';
  const from = problem.metadata?.['from'];
  return typeof from === 'string' && WAY.indexOf(from) >= WAY.indexOf(aim) ? 'done' : 'lost';
}
