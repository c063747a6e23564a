import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { ADVICE } from '../../../src/domain/refusals/advice.ts';
import { REFUSALS } from '../../../src/domain/refusals/refusals.ts';
import { GUIDES } from '../../../src/http/pages/guide-list.ts';
import { signatureHeaders } from '../../../src/webhooks/sign.ts';
import { aLocation } from '../../builders.ts';
import { addCharged } from '../charged.ts';
import { aCreate, addCourier, addDelivery, addVendor, call, openHouse } from '../house.ts';

const FOLDER = path.resolve('docs/guides');
const run = promisify(execFile);

type Block = { readonly guide: string; readonly language: string; readonly text: string };

/** Every block of code of the guides, in the order of the guides. */
const BLOCKS: readonly Block[] = GUIDES.flatMap(({ name }) => {
  const text = readFileSync(path.join(FOLDER, `${name}.md`), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({
    guide: name,
    language: match[1] ?? '',
    text: match[2] ?? '',
  }));
});

const house = await openHouse('guides');

test('[H256] every guide has a page, and no page loads anything from another server', async () => {
  const files = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''));
  expect(files.toSorted()).toEqual(GUIDES.map(({ name }) => name).toSorted());
  const pages = ['/docs', '/docs/problems', '/docs/reference', ...GUIDES.map(({ name }) => `/docs/guides/${name}`)];
  for (const page of pages) {
    const { status, text } = await call(house, `GET ${page}`);
    expect([page, status]).toEqual([page, 200]);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    for (const [, to = ''] of text.matchAll(/href="(\/docs[^"#]*)"/g)) {
      if (!to.startsWith('/docs/assets/'))
        expect([page, to, (await call(house, `GET ${to}`)).status]).toEqual([page, to, 200]);
    }
  }
  expect((await call(house, 'GET /docs/guides/nothing')).status).toBe(404);
  expect((await call(house, 'GET /docs/guides/constructor')).status).toBe(404);
});

test('[H257] the type of a problem is the path of the page of its code', async () => {
  const refused = await call(house, 'GET /deliveries');
  expect(refused.body['type']).toBe('/docs/problems/unauthorized');
  for (const [code, { title }] of Object.entries(REFUSALS)) {
    const { status, text } = await call(house, `GET /docs/problems/${code}`);
    expect([code, status]).toEqual([code, 200]);
    expect(text).toContain(`<h1>${title.replaceAll("'", '&#39;')}</h1>`);
    expect(ADVICE[code as keyof typeof ADVICE]).toMatch(/^.{20,}\.$/s);
  }
  expect((await call(house, 'GET /docs/problems/nothing')).status).toBe(404);
});

test('[H258] every request of the guides works as it stands, and every JSON in them can be parsed', async () => {
  const vendor = await addVendor(house);
  const courier = await addCourier(house);
  // The guides order from the shop of the demo.
  const location = aLocation({ vendorId: vendor.id, place: { lat: 47.14, lng: 9.5209 } });
  await house.ctx.vendors.addLocation(location);
  const id = await addDelivery(house, vendor.key);
  const quote = await call(house, 'POST /express/quotes', { token: vendor.key, body: aCreate() });
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    BASE: house.url,
    KEY: vendor.key,
    PHONE: courier.phone,
    ID: id,
    LOCATION: location.id,
    QUOTE: String(quote.body['id']),
    DELIVERY: (await addCharged(house, vendor.key)).id,
  };
  const commands = BLOCKS.filter(({ language }) => language === 'sh');
  expect(commands.length).toBeGreaterThan(6);
  for (const { guide, text } of commands) {
    const { stdout } = await run('bash', ['-c', text], { env }).catch((error: Error & { stdout?: string }) => {
      throw new Error(`${guide}: ${error.stdout ?? error.message}`);
    });
    expect([guide, typeof JSON.parse(stdout)]).toEqual([guide, 'object']);
  }
  const json = BLOCKS.filter(({ language }) => language === 'json');
  expect(json.length).toBeGreaterThan(2);
  for (const { text } of json) expect(() => JSON.parse(text) as unknown).not.toThrow();
});

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"type":"delivered","data":{"name":"Zoë"}}';
const AT_S = 1_795_348_800;
const HEADER = signatureHeaders([SECRET], 'evt_1', AT_S, BODY)['x-service-signature'] ?? '';
const OLD_SECRET = 'whsec_Wm9lIG9sZCBzZWNyZXQgb2YgdGhlIHNob3A';
/** The header while a secret is being replaced has a signature by each secret. */
const BOTH = signatureHeaders([OLD_SECRET, SECRET], 'evt_1', AT_S, BODY)['x-service-signature'] ?? '';
/** Arguments of `verify`, and what it must answer. */
const CASES: readonly (readonly [string, string, string, number, boolean])[] = [
  [SECRET, BODY, HEADER, AT_S + 60, true],
  [SECRET, BODY, HEADER, AT_S + 301, false],
  [SECRET, BODY, HEADER, AT_S - 301, false],
  [SECRET, `${BODY} `, HEADER, AT_S, false],
  [`${SECRET}x`, BODY, HEADER, AT_S, false],
  [SECRET, BODY, `${HEADER}0`, AT_S, false],
  [SECRET, BODY, '', AT_S, false],
  [SECRET, BODY, BOTH, AT_S, true],
  [OLD_SECRET, BODY, BOTH, AT_S, true],
  [`${SECRET}x`, BODY, BOTH, AT_S, false],
];

/** How a sample in this language is run: it prints an array of its answers. */
const RUNS: Readonly<Record<string, (sample: string) => [string, string[]]>> = {
  ts: (sample) => [
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `${stripTypeScriptTypes(sample)}\nconsole.log(JSON.stringify(${JSON.stringify(CASES)}.map((c) => verify(...c))))`,
    ],
  ],
  python: (sample) => [
    'python3',
    [
      '-c',
      `${sample}\nimport json\ncases = json.loads(${JSON.stringify(JSON.stringify(CASES))})\n` +
        'print(json.dumps([verify(c[0], c[1].encode(), c[2], c[3]) for c in cases]))',
    ],
  ],
  php: (sample) => [
    'php',
    [
      '-r',
      `${sample}\n$cases = json_decode(${phpText(JSON.stringify(CASES))}, true);\n` +
        'echo json_encode(array_map(fn($c) => verify($c[0], $c[1], $c[2], $c[3]), $cases));',
    ],
  ],
};

function phpText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

test('[H259] the samples of the guide accept a true signature and refuse a false one', async () => {
  for (const [language, command] of Object.entries(RUNS)) {
    const sample = BLOCKS.find((block) => block.guide === 'webhooks' && block.language === language)?.text ?? '';
    expect([language, sample]).toEqual([language, expect.stringContaining('verify')]);
    const [program, args] = command(sample);
    const answers = await run(program, args).catch((error: NodeJS.ErrnoException) => {
      // A language that this machine does not have cannot be tried.
      if (error.code === 'ENOENT' && language !== 'ts') return null;
      throw error;
    });
    if (answers !== null)
      expect([language, JSON.parse(answers.stdout)]).toEqual([language, CASES.map((each) => each[4])]);
  }
});
