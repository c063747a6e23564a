import { beforeAll, expect, test } from 'vitest';
import { addStaff, addVendor, openHouse } from '../house.ts';
import { rawClient, statusOf } from '../raw.ts';

const house = await openHouse('hostile_paths');
const send = rawClient(house);
const tokens: string[] = [];

beforeAll(async () => {
  tokens.push((await addVendor(house)).key, await addStaff(house, 'admin'));
});

// Many to a line: one would fill pages.
// oxfmt-ignore
const PATHS = [
  '//', '///deliveries', '/deliveries//', '/deliveries/', '/deliveries/%2e%2e/couriers', '/deliveries/..',
  '/./deliveries', '/deliveries/%00', '/deliveries/%ff', '/deliveries/%E0%A4%A', '/deliveries/%',
  '/deliveries/\xff\xfe', '/DELIVERIES', '/deliveries;x=1', '/deliveries?', '/deliveries??', '/deliveries#x',
  '/deliveries/__proto__', '/deliveries/constructor', '/__proto__', '/constructor', '/toString', '/assets/',
  '/assets/..', '/assets/%2e%2e/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json',
  '/assets/..%5c..%5cpackage.json', '/assets/%00', '/assets/a%00.js', '/assets//etc/passwd',
  '/docs/assets/%2e%2e%2fpackage.json', '/docs/assets/', '/docs/assets/__proto__', '/t/', '/t/..%2f', '/t/%00/state',
  `/t/${'a'.repeat(9000)}`, '/t/__proto__', '/t/__proto__/state', 'http://evil.example/deliveries',
  'http://evil.example', 'http://[/deliveries', 'http://[::1/deliveries', 'http://a:b@evil/deliveries?limit=1',
  '//evil.example/deliveries', '*', '/deliveries?limit=1&limit=2', '/deliveries?limit[]=1', '/deliveries?limit[x]=1',
  '/deliveries?__proto__=1', '/deliveries?__proto__[a]=1', '/deliveries?constructor=1', '/deliveries?toString=1',
  '/deliveries?status=__proto__', '/deliveries?status=toString', '/deliveries?cursor=%00',
  '/deliveries?cursor=__proto__', '/deliveries?q=%00', '/deliveries?q=(a%2B)%2B%24',
  '/deliveries?q=%24where', '/deliveries?q[$ne]=1', '/deliveries?date_range=,',
  '/deliveries?date_range=9999999999999-01-01,2', '/deliveries?limit=%F0%9F%98%80',
  `/deliveries?${'a=1&'.repeat(3000)}`, `/deliveries?q=${'%'.repeat(5000)}`,
  '/express/deliveries/__proto__/tracking', '/dispatch/candidates?delivery_id[]=1',
  '/dispatch/cells?cells=__proto__', '/dispatch/cells?bounds=NaN,NaN,NaN,NaN', '/dispatch/cells?bounds=1e309,0,0,0',
  '/dispatch/cells?bounds=-90,-180,90,180', '/billing/invoices/9999-12', '/billing/invoices/0000-01',
];

test.each(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH'])(
  '[H95] no path or query makes %s a fault of ours, or shows a file that is not a page',
  async (method) => {
    const asked = PATHS.flatMap((path) => tokens.map((token) => ({ path, token })));
    const answers = await Promise.all(
      asked.map(async ({ path, token }) => {
        const headers = ['Host: x', `Authorization: Bearer ${token}`, 'Content-Length: 0', 'Connection: close'];
        return { path, answer: await send([`${method} ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n')) };
      }),
    );
    const wrong = answers.filter(({ answer }) => !(statusOf(answer) >= 200 && statusOf(answer) < 500));
    expect(wrong).toEqual([]);
    expect(answers.filter(({ answer }) => /"dependencies"|root:/u.test(answer))).toEqual([]);
    expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
