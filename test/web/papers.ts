import { expect } from 'vitest';
import { call } from '../e2e/client.ts';
import type { TestServer } from '../e2e/servers.ts';
import { aJpeg } from '../files/samples.ts';

type Paper = { readonly name: string; readonly vehicle: string; readonly file: Blob };

let phones = 0;

/** Makes a pending courier, and returns the id of the document that they have sent. */
export async function sendPaper(server: TestServer, token: string, { name, vehicle, file }: Paper): Promise<string> {
  phones += 1;
  const body = { name, phone: `+4915298000${String(phones).padStart(3, '0')}`, vehicle_type: vehicle };
  const { body: courier } = await call(server.baseUrl, 'POST /couriers/onboard', { token, body });
  const form = new FormData();
  for (const [field, value] of Object.entries({ type: 'id', number: `L01X${phones}`, expires_on: '2099-12-31' }))
    form.append(field, value);
  form.append('file', file, 'document');
  const url = `${server.baseUrl}/couriers/${String(courier['id'])}/documents`;
  const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
  expect(answer.status).toBe(201);
  return String(((await answer.json()) as { id: string }).id);
}

export async function sendPicture(server: TestServer, token: string, name: string, vehicle = 'bicycle') {
  const picture = new Uint8Array(await aJpeg({ width: 800, height: 500 }));
  return sendPaper(server, token, { name, vehicle, file: new Blob([picture], { type: 'image/jpeg' }) });
}
