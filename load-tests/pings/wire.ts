// The ping of the bench: fixes of seven numbers each, in a frame whose numbers are patched in place.
import { payloadStart, textFrame } from '../clients/swarm.ts';

export type PingFrame = {
  readonly frame: Buffer;
  /** Writes the number of the message. Numbers always have the same width. */
  number(id: number): void;
  /** Writes one of the fixes. */
  patch(place: number, seq: number, at: number, lat: number, lng: number): void;
};

const ID = '100000';
const SEQ = '100000000';
const AT = '1000000000000';
const LAT = '52.000000';
const LNG = '13.000000';

/** Message numbers have six digits and wrap. */
export const FIRST_ID = 100_000;
export const LAST_ID = 999_999;
export const FIRST_SEQ = 100_000_000;

/**
 * Makes a frame around so many fixes. `before` comes before the message's number, `after` between it and the fixes, and
 * `end` last.
 */
function makePing(fixes: number, before: string, after: string, end: string): PingFrame {
  const fix = `[${SEQ},${AT},${LAT},${LNG},8,10,90]`;
  const text = `${before}${ID}${after}${Array.from({ length: fixes }, () => fix).join()}${end}`;
  const frame = textFrame(text);
  const idAt = payloadStart(frame) + before.length;
  const firstAt = idAt + ID.length + after.length;
  return {
    frame,
    number: (id) => void frame.write(String(id), idAt, 'latin1'),
    patch(place, seq, at, lat, lng) {
      const seqAt = firstAt + place * (fix.length + 1) + 1;
      const timeAt = seqAt + SEQ.length + 1;
      const latAt = timeAt + AT.length + 1;
      const lngAt = latAt + LAT.length + 1;
      frame.write(String(seq), seqAt, 'latin1');
      frame.write(String(at), timeAt, 'latin1');
      frame.write(lat.toFixed(6), latAt, 'latin1');
      frame.write(lng.toFixed(6), lngAt, 'latin1');
    },
  };
}

/** Makes pings of Socket.IO in a namespace (`/courier,`, or an empty text for the root). */
export function socketIoPing(prefix: string): (fixes: number) => PingFrame {
  return (fixes) => makePing(fixes, `42${prefix}`, '["ping",{"fixes":[', ']}]');
}

/** The same fixes on a bare WebSocket: `[number, {fixes}]`. */
export function rawPing(fixes: number): PingFrame {
  return makePing(fixes, '[', ',{"fixes":[', ']}]');
}

/** The time of a fix in a frame of positions, which is the third number of its first item. */
export function timeIn(json: string): number {
  const found = /\b(1\d{12}),5/u.exec(json);
  return found === null ? 0 : Number(found[1]);
}
