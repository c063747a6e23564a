// one table
import type { Namespace } from './protocol.ts';

/** The purpose of each namespace, for the document. */
export const CHANNEL_WORDS: Readonly<Record<Namespace, string>> = {
  '/courier':
    'The app of a courier. A courier has one connection: a newer one closes the older one, and that of a later login stays.',
  '/vendor':
    'The server or the dashboard of a vendor. It receives the events of all deliveries of the vendor and mode.',
  '/track': 'The page of a recipient. The token is that of a tracking link, and only its delivery is sent.',
  '/admin': 'The console of staff. Positions are sent only for the cells that the client watches.',
};

/** The meaning of each message besides the events of deliveries, which have their own table. */
export const MESSAGE_WORDS: Readonly<Record<string, string>> = {
  resync:
    'Asks for the events of a delivery after a sequence number. The answer has them, or a snapshot if they are too many.',
  auth: 'Renews the token of the connection before it expires, without a new connection.',
  ping: 'Reports up to 50 fixes of the phone, oldest first. A phone that is silent for 15 s gets no offers.',
  'offer.accept': 'Accepts an open offer. If another courier was faster, the answer is the problem `offer_taken`.',
  'offer.decline': 'Declines an open offer.',
  'stop.arrive': 'Reports the arrival at the pickup (`stop` 0) or at a drop-off.',
  'delivery.pick_up': 'Reports that the courier has the goods.',
  'delivery.depart': 'Reports that the courier leaves the pickup with the goods.',
  'delivery.deliver': 'Reports that the goods were handed over at a drop-off.',
  'delivery.fail': 'Reports that a drop-off cannot be served, with the reason.',
  'delivery.release': 'Gives a delivery back before the pickup.',
  watch: 'Chooses the H3 cells whose positions the console receives, at most 500. It replaces the earlier choice.',
  assign: 'Assigns a courier to a delivery by hand.',
  unassign: 'Takes a delivery from its courier before the pickup.',
  snapshot: 'The whole delivery at a sequence number. It replaces what the client has of this delivery.',
  top: 'The newest sequence number of each delivery. A client that has a lower one asks with `resync`.',
  drain: 'This server stops soon. Connect again at a random moment within `within_ms`.',
  positions: 'Positions of couriers since the last frame. Acknowledge each frame; the next one waits for it.',
  'offer.new': 'An offer. Acknowledge it at once with `{ok: true}`, and answer it before `expires_at`.',
  'offer.withdrawn': 'An offer that can no longer be accepted, with the reason.',
  'courier.hint': 'A place where orders are expected. The courier may ignore it.',
  alarm: 'An alarm about a delivery or the service. The same id comes again with `cleared` when it ends.',
};
