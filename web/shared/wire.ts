/** Types of the wire that the protocol names only inside its messages. */
import type { Ack, AdminToServer, ServerToClient, Snapshot } from '../../src/realtime/protocol.ts';

/** A refusal: the same object over HTTP and sockets. */
export type Problem = Extract<Ack, { ok: false }>['problem'];

/** An event as readers receive it. */
export type WireEvent = Parameters<ServerToClient['delivered']>[0];

/** A delivery as staff see it. */
export type DeliveryView = Extract<Snapshot['delivery'], { fee: number }>;

export type DeliveryId = DeliveryView['id'];

export type CourierId = Parameters<AdminToServer['assign']>[0]['courier_id'];

export type StopView = DeliveryView['pickup'];

export type LegView = NonNullable<DeliveryView['legs']>[number];

export type State = DeliveryView['status'];

/** Says whether a message of a socket is an event. All events have the same envelope. */
export function isEvent(message: unknown): message is WireEvent {
  return typeof message === 'object' && message !== null && 'object' in message && message.object === 'event';
}

/** The words for a code of the wire. A code that this page does not know yet is shown as it is. */
export function wordsFor(words: Readonly<Partial<Record<string, string>>>, code: string): string {
  return words[code] ?? code;
}
