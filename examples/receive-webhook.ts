// A webhook receiver that believes only what the service has signed.
// `WEBHOOK_SECRET=whsec_… PORT=4000 node_modules/.bin/node examples/receive-webhook.ts`; the secret is in the answer to POST /webhooks.
// In a project of your own, import from `@dispatch-server/client/webhooks` in place of the path.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { UnverifiedWebhook, verifyWebhook } from '../packages/client/src/webhooks.ts';

const secret = process.env['WEBHOOK_SECRET'] ?? '';
const port = Number(process.env['PORT'] ?? 4000);
const MOST_BYTES = 1024 * 1024;

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const event = await verifyWebhook(await bodyOf(request), request.headers, secret);
    // The same event may come twice: keep its id. Answer first, work later.
    response.writeHead(200).end();
    // The test of a registration has no delivery.
    const about = event.type === 'webhook.test' ? event.vendor_id : event.delivery_id;
    console.log(`${event.type}  ${about}  ${event.id}`);
  } catch (error) {
    response.writeHead(error instanceof UnverifiedWebhook ? 401 : 500).end();
  }
}

/** Reads the body. Throws if the sender goes away, or if it is longer than any webhook. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer((request, response) => void receive(request, response));
server.listen(port, () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`);
});
