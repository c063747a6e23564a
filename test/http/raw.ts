import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { House } from './house.ts';

/** An answer that is whole: a problem or other JSON, the last of its chunks, or a head with an empty body. */
const WHOLE = /\r\n\r\n[\s\S]*\}$|\r\n0\r\n\r\n$|Content-Length: 0\r\n[\s\S]*\r\n\r\n$/i;

/** Sends bytes as they are; gives what comes back until the server closes the connection or the answer is whole. */
export function rawClient({ url }: House): (bytes: string | Buffer) => Promise<string> {
  return (bytes) =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      let got = '';
      socket.on('data', (chunk: Buffer) => {
        got += chunk.toString('latin1');
        if (WHOLE.test(got)) resolve(got);
      });
      socket.on('close', () => resolve(got));
      // A server that cuts the connection gives its answer so.
      socket.on('error', () => undefined);
      socket.write(bytes, 'latin1');
    });
}

/** The status of an answer; 0 when there is none. */
export function statusOf(answer: string): number {
  return Number(answer.split(' ')[1] ?? 0);
}
