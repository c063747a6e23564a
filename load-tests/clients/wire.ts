// Types of the protocol, by the names that the load tests use.
import type { Ack, ResyncAnswer, ServerToClient } from '../../src/realtime/protocol.ts';

export type PresentedEvent = Extract<ResyncAnswer, { events: unknown }>['events'][number];
export type OfferView = Parameters<ServerToClient['offer.new']>[0];
export type Problem = Extract<Ack, { ok: false }>['problem'];

/** Says whether a message on a socket is an event of the catalogue. */
export function isEvent(payload: unknown): payload is PresentedEvent {
  return typeof payload === 'object' && payload !== null && 'object' in payload && payload.object === 'event';
}
