import { createServer, type Server } from 'node:http';
import type { Config } from '../config.ts';
import { StartError } from './start-error.ts';

const LOOPBACK = '127.0.0.1';

/** The IP address on which the server listens; empty for all addresses of the machine. */
export function hostOf({ settings, around }: Config): string {
  return settings.http.host || (around.NODE_ENV === 'production' ? '' : LOOPBACK);
}

/** The address of the server on its own machine, once it listens on its port. */
export function ownUrlOf(config: Config): string {
  const host = hostOf(config);
  const { port } = config.settings.http;
  if (host === '' || host === '0.0.0.0') return `http://${LOOPBACK}:${port}`;
  return host.includes(':') ? `http://[${host === '::' ? '::1' : host}]:${port}` : `http://${host}:${port}`;
}

/** Opens the port and returns its number. @throws StartError if the operator can correct the error */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = HOW_TO_LISTEN[error.code ?? '']?.(port, host);
      reject(sentence === undefined ? error : new StartError(sentence));
    });
    server.listen({ port, ...(host === '' ? {} : { host }) }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/**
 * Opens the port for a moment, so that a start with a port in use ends before it starts engines.
 * @throws StartError if the port cannot be opened
 */
export async function refuseTakenPort(config: Config): Promise<void> {
  const probe = createServer();
  await listen(probe, config.settings.http.port, hostOf(config));
  await new Promise((resolve) => probe.close(resolve));
}

/** Advice for the operator if a port cannot be opened, by error code. */
const HOW_TO_LISTEN: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port) =>
    `Port ${port} is in use. Stop the program that uses it, or set PORT to another port. PORT=0 takes any free port.`,
  EADDRNOTAVAIL: (_port, host) => `HOST is ${host}, which is not an address of this machine.`,
};
