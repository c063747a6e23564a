// Floods of one connection at a time. When the server closes it, the next one opens.
import { setTimeout as pause } from 'node:timers/promises';
import type { FrameClient } from '../../clients/swarm.ts';
import type { Figures } from './attack.ts';

/** How long the server may keep a connection that floods, ms. It counts packets over 5 s. */
export const MOST_MS_OPEN = 6000;

export type Flood = {
  /** Opens a connection. @throws Error when the server does not let it in */
  readonly open: (onText: (text: string) => void) => Promise<FrameClient>;
  /** Sends some packets and returns their number. */
  readonly send: (client: FrameClient) => number;
  /** The pause between two calls of `send`, ms. */
  readonly gapMs: number;
  /** The beginning of the server's answers. */
  readonly answer: string;
};

/** Pause before the next connection, ms. */
const AGAIN_MS = 20;

/**
 * Floods until the signal aborts. `most_ms_open` is the longest time that a connection was open, or its age at
 * the end.
 */
export async function flood({ open, send, gapMs, answer }: Flood, signal: AbortSignal): Promise<Figures> {
  const figures = {
    connections: 0,
    'refused connections': 0,
    packets: 0,
    answers: 0,
    closed_by_server: 0,
    most_ms_open: 0,
  };
  while (!signal.aborted) {
    try {
      const client = await open((text) => {
        if (text.startsWith(answer)) figures.answers += 1;
      });
      const openedAt = performance.now();
      figures.connections += 1;
      for (; client.isOpen() && !signal.aborted; await pause(gapMs)) figures.packets += send(client);
      if (!client.isOpen()) figures.closed_by_server += 1;
      figures.most_ms_open = Math.max(figures.most_ms_open, Math.round(performance.now() - openedAt));
      client.close();
    } catch {
      // The server refuses or drops the connection, so the attacker tries again.
      figures['refused connections'] += 1;
    }
    await pause(AGAIN_MS);
  }
  return figures;
}
