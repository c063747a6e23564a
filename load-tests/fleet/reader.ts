// A recipient on a raw socket, who takes events in order and asks for those that are missing.
import type { Ack, ResyncAnswer, Snapshot } from '../../src/realtime/protocol.ts';
import { openSocketIo, textFrame, type FrameClient } from '../clients/swarm.ts';
import { isEvent } from '../clients/wire.ts';
import { timeIn } from '../pings/wire.ts';
import { createMarks } from '../simulate/people/marks.ts';
import type { ReaderClient, Seen } from './orders.ts';

export type Reader = {
  seen(): Seen;
  /** Closes the connection and opens another one, which continues after the last event. */
  reconnect(): Promise<void>;
  close(): void;
};

/** Connects a reader. `onFrame` gets the time of each position, epoch ms. */
export async function openReader(
  { port, token, deliveryId }: ReaderClient,
  onFrame: (sentAt: number) => void,
): Promise<Reader> {
  const marks = createMarks();
  const delaysMs: number[] = [];
  let asked = 0;
  const hear = (json: string, ask: () => void): void => {
    if (json.startsWith('["positions"')) return onFrame(timeIn(json));
    const [name, payload] = JSON.parse(json) as [string, unknown];
    if (isEvent(payload)) {
      const intake = marks.arrive(payload);
      if (intake === 'taken') delaysMs.push(Date.now() - Date.parse(payload.created_at));
      if (intake === 'gap') ask();
    } else if (name === 'snapshot') {
      const { sequence } = payload as Snapshot;
      marks.begin(deliveryId, sequence);
      if (marks.behind({ [deliveryId]: sequence }).length > 0) ask();
    } else if (name === 'top' && marks.behind(payload as Record<string, number>).length > 0) ask();
  };
  const connect = async (): Promise<FrameClient> => {
    marks.reconnected();
    const opening = openSocketIo({
      port,
      namespace: '/track',
      auth: { token, last_seq: marks.lastSeq() },
      onEvent: (json) =>
        hear(json, () => {
          asked += 1;
          const body = ['resync', { delivery_id: deliveryId, after: marks.of(deliveryId) }];
          const frame = textFrame(`42/track,${asked}${JSON.stringify(body)}`);
          // The server's first events may come before the connection is known here.
          void opening.then((own) => own.send(frame));
        }),
      onAck: (_id, json) => {
        const [answer] = JSON.parse(json) as [Ack<ResyncAnswer>];
        if (answer.ok) marks.resynced(deliveryId, answer);
      },
    });
    return opening;
  };
  let client = await connect();
  return {
    seen: () => ({ deliveryId, base: marks.base(deliveryId), events: marks.seen(deliveryId).size, delaysMs }),
    reconnect: async () => {
      client.close();
      client = await connect();
    },
    close: () => client.close(),
  };
}
