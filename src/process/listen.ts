import { createServer, type Server } from 'node:http';
import type { Config } from '../config.ts';
import { createClock } from '../clock.ts';
import type { Log } from '../ports/process.ts';
import { sampleLog } from './sampled-log.ts';
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

/**
 * Opens the port and returns its number. From then on the log reports connections that cannot be accepted.
 * @throws StartError if the operator can correct the error
 */
export async function listen(server: Server, port: number, host: string, log: Log): Promise<number> {
  const opened = await open(server, port, host);
  // The port is open before the server has a clock.
  const lost = sampleLog(log, createClock());
  // NOTE: Node reports such a connection as an error of the server, and an error without a listener ends the process.
  server.on('error', ({ message: error }) => lost.log.error({ error }, 'a connection could not be accepted'));
  server.once('close', lost.stop);
  return opened;
}

function open(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      const sentence = HOW_TO_LISTEN[error.code ?? '']?.(port, host);
      reject(sentence === undefined ? error : new StartError(sentence));
    };
    server.once('error', refuse);
    server.listen({ port, ...(host === '' ? {} : { host }) }, () => {
      server.off('error', refuse);
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
  await open(probe, config.settings.http.port, hostOf(config));
  await new Promise((resolve) => probe.close(resolve));
}

/** Advice for the operator if a port cannot be opened, by error code. */
const HOW_TO_LISTEN: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port) =>
    `Port ${port} is in use. Stop the program that uses it, or set PORT to another port. PORT=0 takes any free port.`,
  EADDRNOTAVAIL: (_port, host) => `HOST is ${host}, which is not an address of this machine.`,
};
