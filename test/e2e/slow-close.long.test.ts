import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testEngines } from '../engines.ts';
import { startServer } from './servers.ts';

test('[Z6] a request whose body never comes does not keep the server from ending', async () => {
  const server = await startServer(testEngines('slow-close'));
  const { port } = new URL(server.baseUrl);
  const client = connect(Number(port), 'localhost');
  await new Promise((resolve) => client.once('connect', resolve));
  client.on('error', () => undefined);
  const head = ['POST /auth/otp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 100'];
  client.write(`${head.join('\r\n')}\r\n\r\n{`);
  // Answered after the slow request, so the server has accepted that one.
  expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200);
  // If the request kept the server waiting, it would give up in the end with another code.
  expect(await server.stop()).toBe(0);
});
