/** The shapes of the wire that the protocol names only inside its messages. */
import type { Ack, AdminToServer, ServerToClient, Snapshot } from '../../src/realtime/protocol.ts';

/** Why the service said no: the same object over HTTP and sockets. */
export type Problem = Extract<Ack, { ok: false }>['problem'];

/** An event as a reader gets it. */
export type WireEvent = Parameters<ServerToClient['delivered']>[0];

/** A delivery as staff see it. */
export type DeliveryView = Extract<Snapshot['delivery'], { fee: number }>;

export type DeliveryId = DeliveryView['id'];

export type CourierId = Parameters<AdminToServer['assign']>[0]['courier_id'];

export type StopView = DeliveryView['pickup'];

export type State = DeliveryView['status'];

/** Says whether a message of a socket is an event: all of them have the same envelope, whatever their name. */
export function isEvent(message: unknown): message is WireEvent {
  return typeof message === 'object' && message !== null && 'object' in message && message.object === 'event';
}
