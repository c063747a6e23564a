import { createServer, connect } from 'node:net';
import { codeOf, EngineError } from './engine-error.ts';

export const LOOPBACK = '127.0.0.1';

/** Somebody else listens on the port. */
export class PortTakenError extends EngineError {
  constructor(engine: string, port: number, options?: ErrorOptions) {
    super(
      `Port ${port} for ${engine} is taken: stop the program that uses it, set another port, ` +
        `or set none and let ${engine} take any free one.`,
      options,
    );
  }
}

/**
 * Starts an engine on the wanted loopback port, or on any free one. A free port can be snatched away before the engine
 * has it; then another is tried.
 * @throws PortTakenError when the wanted port is taken
 */
export async function withPort<T>(engine: string, wanted: number | undefined, start: (port: number) => Promise<T>) {
  for (let tries = 1; ; tries += 1) {
    const port = await pickPort(engine, wanted);
    try {
      return { port, engine: await start(port) };
    } catch (error) {
      if (!(error instanceof PortTakenError) || wanted !== undefined || tries === 3) throw error;
    }
  }
}

async function pickPort(engine: string, wanted?: number): Promise<number> {
  try {
    return await tryPort(wanted ?? 0);
  } catch (error) {
    if (wanted === undefined || !['EADDRINUSE', 'EACCES'].includes(codeOf(error))) throw error;
    throw new PortTakenError(engine, wanted, { cause: error });
  }
}

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      const chosen = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(chosen));
    });
  });
}

/**
 * Sends one line, if any, to a loopback port and gives the first thing that comes back.
 * @returns '' as soon as the connection stands when nothing is asked; null when nobody listens or answers in 1 s
 */
export function ask(port: number, question?: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: LOOPBACK, timeout: 1_000 });
    const answer = (text: string | null): void => {
      socket.destroy();
      resolve(text);
    };
    socket.once('error', () => answer(null));
    socket.once('timeout', () => answer(null));
    socket.once('close', () => answer(null));
    socket.once('connect', () => (question === undefined ? answer('') : socket.write(`${question}\r\n`)));
    socket.once('data', (bytes: Buffer) => answer(bytes.toString('latin1')));
  });
}
