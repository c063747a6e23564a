import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/webhooks/guard-address.ts';

/** Addresses that lead elsewhere than to the public internet, by why. */
const PRIVATE: Readonly<Record<string, readonly string[]>> = {
  'this host and its networks': [
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '100.100.100.200',
    '::',
    '::1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
  ],
  'metadata of a cloud in public space': ['168.63.129.16', '::ffff:168.63.129.16', '192.0.0.192'],
  'documentation, benchmarks and protocols': [
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1::1',
    '2620:4f:8000::1',
    '100::1',
  ],
  'many receivers': ['224.0.0.1', '233.252.0.1', '255.255.255.255', '240.0.0.1', 'ff02::1'],
  'an IPv4 address within an IPv6 one': [
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '::808:808',
    '::ffff:127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::7f00:1',
    '64:ff9b:1:ffff::1',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001:0:7f00:1::',
  ],
  'space that is not given out': [
    '1::1',
    '0:1::1',
    '100:0:0:1::1',
    '1fff::1',
    '3ffe::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'c000::1',
    'e000::1',
    'fe00::1',
  ],
  'no address': [
    '',
    'localhost',
    '1',
    '2130706433',
    '0x7f.1',
    '127.1',
    'fe80::1%eth0',
    '2606:4700::1111%1',
    '8.8.8.8:80',
    '[::1]',
  ],
};

describe.each(Object.entries(PRIVATE))('%s', (_why, addresses) => {
  test.each(addresses)('[W20] %s does not count as public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test('[W20] addresses of the public internet count as public', () => {
  const open = [
    '93.184.216.34',
    '8.8.8.8',
    '::ffff:8.8.8.8',
    '2606:2800:220:1:248:1893:25c8:1946',
    '2001:4860:4860::8888',
    '2a00:1450::1',
    '2c0f:f248::1',
    '3000::1',
  ];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
});
