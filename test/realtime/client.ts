/** A real client that writes down what it hears. */
import type { Socket } from 'socket.io-client';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { until } from '../until.ts';

/** No test is about how soon it is answered: the limit only ends what is never answered. */
export const ANSWER_MS = 30_000;

export type Client = {
  readonly socket: Socket;
  /** Everything the server sent, in order. */
  readonly heard: { readonly name: string; readonly body: Body }[];
  /** Whether positions are acknowledged. */
  acks: boolean;
  closedBy: string | null;
  refusedWith: { code: string; status: number } | null;
  readonly named: (name: string) => Body[];
  /** The sequence numbers of a delivery's events, in the order they came. */
  readonly sequences: (id: DeliveryId) => number[];
  /** The sequence number of the delivery's newest snapshot; 0 for none. It stands for the events up to there. */
  readonly shown: (id: DeliveryId) => number;
  readonly ask: (name: string, body: unknown) => Promise<Answer>;
  /** Resolves when connected and told what was before: from then on all is heard live. */
  readonly ready: () => Promise<Client>;
};

/**
 * Writes down what a client hears; offers are acknowledged, positions only while `acks` is set. `settled` resolves when
 * the server has told it what was before.
 */
export function hear(socket: Socket, settled: () => Promise<void>): Client {
  const heard: Client['heard'] = [];
  const client: Client = {
    socket,
    heard,
    acks: true,
    closedBy: null,
    refusedWith: null,
    named: (name) => heard.filter((each) => each.name === name).map(({ body }) => body),
    sequences: (id) =>
      heard.flatMap(({ body }) => (body.object === 'event' && body.delivery_id === id ? [body.sequence ?? 0] : [])),
    shown: (id) => client.named('snapshot').findLast(({ delivery_id }) => delivery_id === id)?.sequence ?? 0,
    ask: (name, body) => socket.timeout(ANSWER_MS).emitWithAck(name, body) as Promise<Answer>,
    ready: async () => {
      await until(() => socket.connected);
      await settled();
      return client;
    },
  };
  socket.onAny((name: string, body: Body, ack?: (seen?: object) => void) => {
    heard.push({ name, body });
    if (name === 'offer.new') ack?.({ ok: true });
    if (name === 'positions' && client.acks) ack?.();
  });
  socket.on('disconnect', (reason) => void (client.closedBy = reason));
  socket.on('connect_error', (error) => {
    client.refusedWith = (error as Error & { data?: { code: string; status: number } }).data ?? null;
  });
  return client;
}

/** The fields of received messages that tests read. */
export type Body = {
  object?: string;
  delivery_id?: DeliveryId;
  offer_id?: string;
  sequence?: number;
  data?: Record<string, unknown>;
  delivery?: Record<string, unknown>;
  items?: [string | null, string | null, number, number, number, number, number][];
  [more: string]: unknown;
};

export type Answer = {
  ok: boolean;
  problem?: { code: string; status: number; request_id: string };
  events?: Body[];
  through?: number;
  reset?: true;
  snapshot?: Body;
  [more: string]: unknown;
};
