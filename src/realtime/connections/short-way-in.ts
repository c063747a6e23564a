import type { RawConnection } from '../sockets.ts';
import { extendWait, takeAnswer } from './heartbeats.ts';
import { leanSocketOf } from './lean-websocket.ts';

/** The types of packets of Engine.IO and Socket.IO, as a text begins. */
const EVENT = '42';
const ACK = '43';
/** The whole packet that answers a heartbeat. */
const ANSWER = '3';
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

/** Handles an event. `answer` acknowledges it once, if the client has asked for that. */
export type HandleEvent = (name: unknown, body: unknown, answer: (result: object) => void) => void;

/** The handler of the events of a client in one namespace. */
export type EventHandler = {
  readonly namespace: string;
  /** The events that it knows. Socket.IO gets all others. */
  readonly events: { has(name: string): boolean };
  readonly handle: HandleEvent;
};

type Sent = { readonly id: number; readonly onAck: () => void };
/** `unacknowledged` is the message that this way has sent and that the client has not acknowledged. */
type Joined = { readonly prefix: string; readonly handler: EventHandler; unacknowledged: Sent | null };

/**
 * The short way of a client's messages to their handlers. Known events are read here instead of in the parsers of
 * Engine.IO and Socket.IO. So are answers to heartbeats, and acknowledgements of what was sent here, which is why this class
 * also sends. Engine.IO gets everything else. Both ways call the handler in the next tick, so messages keep their order.
 */
export class ShortWayIn {
  readonly #raw: RawConnection;
  #joined: readonly Joined[] = [];
  /** Whether the client has sent no binary packet yet. Until all its bytes are there, Socket.IO allows no text. */
  #isOpen = true;
  #nextId = FIRST_ID;

  private constructor(raw: RawConnection) {
    this.#raw = raw;
  }

  /** Opens the way on a connection that has just opened. Null with unknown versions of `ws` or Engine.IO. */
  static open(raw: RawConnection): ShortWayIn | null {
    const frames = leanSocketOf(raw.request);
    if (frames === null) return null;
    const way = new ShortWayIn(raw);
    frames.offerMessages((data, isBinary) => !isBinary && way.#read(data.toString()));
    return way;
  }

  /** Gives events of this namespace, which the client has just joined, to the handler until `remove`. */
  add(handler: EventHandler): void {
    if (!this.#isOpen) return;
    this.#joined = [...this.#joined, { prefix: `${handler.namespace},`, handler, unacknowledged: null }];
  }

  remove(namespace: string): void {
    this.#joined = this.#joined.filter(({ handler }) => handler.namespace !== namespace);
  }

  /**
   * Sends an event that the client acknowledges, one at a time in a namespace.
   * @returns false if Socket.IO must send it
   */
  send(namespace: string, event: string, body: object, onAck: () => void): boolean {
    const joined = this.#joined.find(({ handler }) => handler.namespace === namespace);
    if (joined?.unacknowledged !== null || this.#raw.readyState !== 'open') return false;
    const id = this.#nextId;
    this.#nextId += 1;
    joined.unacknowledged = { id, onAck };
    this.#raw.write(`2${joined.prefix}${id}${JSON.stringify([event, body])}`);
    return true;
  }

  /** Returns false if Engine.IO must read the text. */
  #read(text: string): boolean {
    const type = text.slice(0, TYPE_LENGTH);
    if (BINARY.includes(type)) this.#close();
    if (this.#raw.readyState !== 'open') return false;
    if (text === ANSWER) return takeAnswer(this.#raw);
    if (type !== EVENT && type !== ACK) return false;
    const joined = this.#joined.find(({ prefix }) => text.startsWith(prefix, TYPE_LENGTH));
    if (joined === undefined) return false;
    const rest = text.slice(TYPE_LENGTH + joined.prefix.length);
    const id = ID.exec(rest)?.[0] ?? '';
    const json = rest.slice(id.length);
    const run = type === EVENT ? this.#readEvent(joined, id, json) : readAck(joined, Number(id), json);
    if (run === null) return false;
    this.#raw.emit('packet', { type: 'message', data: text.slice(1) });
    extendWait(this.#raw);
    process.nextTick(run);
    return true;
  }

  /** The call of the handler; null for an event that it does not know. */
  #readEvent({ prefix, handler }: Joined, id: string, json: string): (() => void) | null {
    // The name is looked at first, so that a long text which Socket.IO must read is not parsed twice.
    const name = json.slice(NAME_AT, json.indexOf('"', NAME_AT));
    if (!json.startsWith('["') || !handler.events.has(name)) return null;
    const data = arrayOf(json);
    if (data === null) return null;
    let isAwaited = id !== '';
    const answer = (result: object): void => {
      if (isAwaited) this.#raw.write(`3${prefix}${Number(id)}${JSON.stringify([result])}`);
      isAwaited = false;
    };
    return () => handler.handle(name, data[1], answer);
  }

  /**
   * Leaves all messages to Socket.IO from now on. Messages that this way has sent count as acknowledged, because Socket.IO does
   * not know them.
   */
  #close(): void {
    this.#isOpen = false;
    for (const { unacknowledged } of this.#joined) if (unacknowledged !== null) process.nextTick(unacknowledged.onAck);
    this.#joined = [];
  }
}

/** The call for an acknowledgement of what the short way has sent; null for another one. */
function readAck(joined: Joined, id: number, json: string): (() => void) | null {
  const sent = joined.unacknowledged;
  if (sent?.id !== id || (json !== '' && arrayOf(json) === null)) return null;
  joined.unacknowledged = null;
  return sent.onAck;
}

/** Null for a text that is not a JSON array. For such a text, Socket.IO closes the connection. */
function arrayOf(json: string): readonly unknown[] | null {
  try {
    const data: unknown = JSON.parse(json);
    return Array.isArray(data) ? data : null;
  } catch {
    return null;
  }
}
