// A webhook receiver that believes only what the service has signed.
// `WEBHOOK_SECRET=whsec_… PORT=4000 node_modules/.bin/node examples/receive-webhook.ts`; the secret is in the answer to POST /webhooks.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const secret = process.env['WEBHOOK_SECRET'] ?? '';
const port = Number(process.env['PORT'] ?? 4000);
const TOLERANCE_S = 300;

/** `X-Service-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t.body)>` */
function isGenuine(header: string, body: Buffer): boolean {
  const [, t = '', hex = ''] = /^t=(\d+),v1=([0-9a-f]{64})/.exec(header) ?? [];
  if (t === '' || Math.abs(Date.now() / 1000 - Number(t)) > TOLERANCE_S) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected);
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(String(request.headers['x-service-signature'] ?? ''), body)) {
    response.writeHead(401).end();
    return;
  }
  // The same event may come twice: keep its id. Answer first, work later.
  response.writeHead(200).end();
  const event = JSON.parse(body.toString('utf8')) as { id: string; type: string; delivery_id: string };
  console.log(`${event.type}  ${event.delivery_id}  ${event.id}`);
}

const server = createServer((request, response) => void receive(request, response));
server.listen(port, () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`);
});
