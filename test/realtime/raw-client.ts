/** A client below Socket.IO: it sends what it likes, hears texts, and reads only while it wants to. */
import { onTestFinished } from 'vitest';
import { openFrames, textFrame, type FrameClient, type Way } from '../../load-tests/clients/swarm.ts';
import type { Namespace } from '../../src/realtime/protocol.ts';
import { until } from '../until.ts';

export type RawClient = FrameClient & {
  /** Every text of the server, as it came. */
  readonly texts: string[];
  say(text: string): void;
  /** Asks to join a namespace; resolves when the server has answered, true when it said yes. */
  join(namespace: Namespace, auth: object): Promise<boolean>;
};

/** Opens one; it is closed with the test. @throws Error when the server does not let it in */
export async function openRaw(process: { url: string }, way: Way = {}): Promise<RawClient> {
  const texts: string[] = [];
  const port = Number(new URL(process.url).port);
  const client = await openFrames(port, '/socket.io/?EIO=4&transport=websocket', (text) => void texts.push(text), way);
  onTestFinished(() => client.close());
  const say = (text: string): void => client.send(textFrame(text));
  const answered = (namespace: Namespace): string[] =>
    texts.filter((text) => text.startsWith(`40${namespace},`) || text.startsWith(`44${namespace},`));
  return {
    ...client,
    texts,
    say,
    join: async (namespace, auth) => {
      const before = answered(namespace).length;
      say(`40${namespace},${JSON.stringify(auth)}`);
      await until(() => answered(namespace).length > before);
      return answered(namespace).at(-1)?.startsWith('40') === true;
    },
  };
}
