import { expect, test } from 'vitest';
import { createAddressOf } from '../../src/process/caller-address.ts';
import { readConfig } from '../../src/config.ts';

/** The address of the caller for a connection with this header. */
function asked(trusted: string, remoteAddress: string | undefined, forwarded?: string | string[]) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded as string };
  return createAddressOf(trusted)({ socket: { remoteAddress } as never, headers }).address;
}

test("[T32] without trusted proxies the connection's address counts, whatever the header says", () => {
  expect(asked('', '192.0.2.1')).toBe('192.0.2.1');
  expect(asked('', '192.0.2.1', '198.51.100.7')).toBe('192.0.2.1');
  expect(asked('10.0.0.0/8', '192.0.2.1', '198.51.100.7')).toBe('192.0.2.1');
  expect(asked('', '::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(asked('', undefined)).toBe('unknown');
});

test('[T32] behind trusted proxies the last address that is not one of them counts', () => {
  const trusted = '10.0.0.0/8, 2001:db8::5';
  expect(asked(trusted, '10.1.2.3', '198.51.100.7')).toBe('198.51.100.7');
  expect(asked(trusted, '::ffff:10.1.2.3', '198.51.100.7')).toBe('198.51.100.7');
  expect(asked(trusted, '2001:db8::5', '198.51.100.7, 10.9.9.9')).toBe('198.51.100.7');
  // Entries of the client come before those of the proxy.
  expect(asked(trusted, '10.1.2.3', '203.0.113.9, 198.51.100.7')).toBe('198.51.100.7');
  expect(asked(trusted, '10.1.2.3', ['203.0.113.9', '198.51.100.7'])).toBe('198.51.100.7');
  expect(asked(trusted, '10.1.2.3', '10.4.4.4, 10.5.5.5')).toBe('10.4.4.4');
  expect(asked(trusted, '10.1.2.3')).toBe('10.1.2.3');
  expect(asked(trusted, '10.1.2.3', ' , ,')).toBe('10.1.2.3');
  expect(asked(trusted, '10.1.2.3', `198.51.100.7, ${'x'.repeat(500)}`)).toBe('x'.repeat(64));
});

test('[T32] a port that a proxy writes behind an address does not count', () => {
  const trusted = '10.0.0.0/8, 2001:db8::5';
  expect(asked(trusted, '10.1.2.3', '203.0.113.9, 198.51.100.7:50123')).toBe('198.51.100.7');
  expect(asked(trusted, '10.1.2.3', '198.51.100.7:50123, 10.9.9.9:443')).toBe('198.51.100.7');
  expect(asked(trusted, '10.1.2.3', '198.51.100.7, [2001:db8::5]:443')).toBe('198.51.100.7');
  expect(asked(trusted, '10.1.2.3', '[2001:db8::7]:50123')).toBe('2001:db8::7');
});

test('[T32] limits count IPv4 by address and IPv6 by its first 64 bits', () => {
  const networkOf = (remoteAddress: string) =>
    createAddressOf('')({ socket: { remoteAddress } as never, headers: {} }).network;
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2:ffff::1'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
});

test('[T32] a server does not start with a trusted proxy that is not an address or a range', () => {
  const settingsFor = (list: string) => readConfig({ HTTP_TRUSTED_PROXIES: list }).settings.http.trustedProxies;
  expect(settingsFor('10.0.0.1, fd00::/8')).toBe('10.0.0.1, fd00::/8');
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.1,', '10.0.0.1 10.0.0.2']) {
    expect(() => settingsFor(wrong)).toThrow('HTTP_TRUSTED_PROXIES: must be IP addresses or ranges');
  }
});
