// Connections of attackers: below Socket.IO, from their own addresses.
import { openFrames, textFrame, type FrameClient } from '../../clients/swarm.ts';
import type { Target } from './attack.ts';

/** Opens a connection that has joined nothing yet. @throws Error when the server does not let it in */
export function connect(
  { port, host, localAddress }: Target,
  onText: (text: string) => void = () => undefined,
): Promise<FrameClient> {
  return openFrames(port, '/socket.io/?EIO=4&transport=websocket', onText, { host, localAddress });
}

/** A handshake for a namespace, such as `/track`. */
export function handshake(namespace: string, token: string): Buffer {
  return textFrame(`40${namespace},${JSON.stringify({ token })}`);
}

/** How long to wait for the answer to a handshake, ms. */
const ANSWER_MS = 5000;

/** Joins with the attacker's tracking link. @throws Error when the server refuses or does not answer */
export function joinTrack(target: Target): Promise<FrameClient> {
  return join(target, '/track', target.trackingToken);
}

/** Joins a namespace. @throws Error when the server refuses or does not answer */
export async function join(
  target: Target,
  namespace: string,
  token: string,
  onText: (text: string) => void = () => undefined,
): Promise<FrameClient> {
  let settle: (text: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => (settle = resolve));
  const client = await connect(target, (text) => {
    if (text.startsWith('4')) settle(text);
    onText(text);
  });
  client.send(handshake(namespace, token));
  const tooLate = setTimeout(() => settle('no answer'), ANSWER_MS);
  const answer = await answered;
  clearTimeout(tooLate);
  if (answer.startsWith('40')) return client;
  client.close();
  throw new Error(answer);
}
