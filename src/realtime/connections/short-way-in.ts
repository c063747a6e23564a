import type { RawConnection } from '../sockets.ts';
import { extendAnswer } from './heartbeats.ts';
import { leanSocketOf } from './lean-websocket.ts';

/** The types of packets of Engine.IO and Socket.IO, as a text begins. */
const EVENT = '42';
const ACK = '43';
/** Packets whose bytes follow in binary messages. */
const BINARY: readonly string[] = ['45', '46'];
const TYPE_LENGTH = 2;
/** The place of the name in the JSON of an event. */
const NAME_AT = 2;
/** The number under which the client wants an answer, or which it acknowledges. Socket.IO takes white space for a digit. */
const ID = /^[\d\s]*/u;
/**
 * The first number of a message that this way sends. Socket.IO counts its own from 0 in each namespace, and the numbers must fit into
 * the 32 bits of some clients.
 */
const FIRST_ID = 1_000_000_000;

/** Takes an event with its arguments. `answer` acknowledges it once, if the client has asked for that. */
export type TakeEvent = (name: unknown, given: readonly unknown[], answer: (result: object) => void) => void;

/** The listener to the events of a client in one namespace. */
export type Ear = {
  readonly namespace: string;
  /** The events that it takes. Socket.IO gets all others. */
  readonly events: { has(name: string): boolean };
  readonly take: TakeEvent;
};

type Sent = { readonly id: number; readonly onAck: () => void };
/** `unacknowledged` is the message that this way has sent and that the client has not acknowledged. */
type Listening = { readonly prefix: string; readonly ear: Ear; unacknowledged: Sent | null };

/**
 * The short way of a client's messages to their ears. A text that is an event or an acknowledgement is read here, instead of
 * in the parsers of Engine.IO and Socket.IO and between their layers. All other messages go to Engine.IO. Both ways call
 * the ear in the next tick, so messages keep their order, whichever way each one takes.
 */
export class ShortWayIn {
  readonly #raw: RawConnection;
  readonly #onPacket: () => void;
  #listening: readonly Listening[] = [];
  /** Whether the client has sent no binary packet yet. Until all its bytes are there, Socket.IO allows no text. */
  #isOpen = true;
  #nextId = FIRST_ID;

  private constructor(raw: RawConnection, onPacket: () => void) {
    this.#raw = raw;
    this.#onPacket = onPacket;
  }

  /**
   * Opens the way on a connection that has just opened. `onPacket` is called for each packet, as Engine.IO emits `packet`.
   * Null with unknown versions of `ws` or Engine.IO.
   */
  static open(raw: RawConnection, onPacket: () => void): ShortWayIn | null {
    const frames = leanSocketOf(raw.request);
    const [toEngine] = frames?.listeners('message') ?? [];
    if (frames === null || toEngine === undefined) return null;
    const way = new ShortWayIn(raw, onPacket);
    frames.removeAllListeners('message');
    frames.on('message', (data: Buffer | string, isBinary: boolean) => {
      if (isBinary || !way.#hear(data.toString())) Reflect.apply(toEngine, frames, [data, isBinary]);
    });
    return way;
  }

  /** Lets the ear hear its namespace, which the client has just joined, until `remove`. */
  add(ear: Ear): void {
    this.#listening = [...this.#listening, { prefix: `${ear.namespace},`, ear, unacknowledged: null }];
  }

  remove(namespace: string): void {
    this.#listening = this.#listening.filter(({ ear }) => ear.namespace !== namespace);
  }

  /**
   * Sends an event that the client acknowledges, one at a time in a namespace.
   * @returns false if Socket.IO must send it
   */
  send(namespace: string, event: string, body: object, onAck: () => void): boolean {
    const one = this.#listening.find(({ ear }) => ear.namespace === namespace);
    const mayGo = this.#isOpen && this.#raw.readyState === 'open' && one?.unacknowledged === null;
    if (one === undefined || !mayGo) return false;
    const id = this.#nextId;
    this.#nextId += 1;
    one.unacknowledged = { id, onAck };
    this.#raw.write(`2${one.prefix}${id}${JSON.stringify([event, body])}`);
    return true;
  }

  /** Returns false if Engine.IO must read the text. */
  #hear(text: string): boolean {
    const type = text.slice(0, TYPE_LENGTH);
    if (BINARY.includes(type)) this.#leave();
    if (!this.#isOpen || this.#raw.readyState !== 'open') return false;
    if (type !== EVENT && type !== ACK) return false;
    const one = this.#listening.find(({ prefix }) => text.startsWith(prefix, TYPE_LENGTH));
    if (one === undefined) return false;
    const rest = text.slice(TYPE_LENGTH + one.prefix.length);
    const id = ID.exec(rest)?.[0] ?? '';
    const json = rest.slice(id.length);
    const run = type === EVENT ? this.#readEvent(one, id, json) : readAck(one, Number(id), json);
    if (run === null) return false;
    this.#onPacket();
    extendAnswer(this.#raw);
    process.nextTick(run);
    return true;
  }

  /** The call of the ear; null for an event that it does not take. */
  #readEvent({ prefix, ear }: Listening, id: string, json: string): (() => void) | null {
    // The name is looked at first, so that a long text which Socket.IO must read is not parsed twice.
    const name = json.slice(NAME_AT, json.indexOf('"', NAME_AT));
    if (!json.startsWith('["') || !ear.events.has(name)) return null;
    const data = arrayOf(json);
    if (data === null) return null;
    let isAwaited = id !== '';
    const answer = (result: object): void => {
      if (isAwaited) this.#raw.write(`3${prefix}${Number(id)}${JSON.stringify([result])}`);
      isAwaited = false;
    };
    return () => ear.take(name, data.slice(1), answer);
  }

  /**
   * Leaves all messages to Socket.IO from now on. Messages that this way has sent count as acknowledged, because Socket.IO does
   * not know them.
   */
  #leave(): void {
    this.#isOpen = false;
    for (const { unacknowledged } of this.#listening)
      if (unacknowledged !== null) process.nextTick(unacknowledged.onAck);
    this.#listening = [];
  }
}

/** The call for an acknowledgement of what the short way has sent; null for another one. */
function readAck(one: Listening, id: number, json: string): (() => void) | null {
  const sent = one.unacknowledged;
  if (sent?.id !== id || (json !== '' && arrayOf(json) === null)) return null;
  one.unacknowledged = null;
  return sent.onAck;
}

/** Null for a text that is not a JSON array. Socket.IO closes its connection. */
function arrayOf(json: string): readonly unknown[] | null {
  try {
    const data: unknown = JSON.parse(json);
    return Array.isArray(data) ? data : null;
  } catch {
    return null;
  }
}
