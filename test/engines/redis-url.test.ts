import { expect, test } from 'vitest';
import { parseRedisUrl } from '../../src/engines/redis/redis-url.ts';

test('[R13] an address names one server, a socket, Sentinels or a cluster', () => {
  expect(parseRedisUrl('redis://cache')).toEqual({ kind: 'single', options: { host: 'cache', port: 6379, db: 0 } });
  expect(parseRedisUrl('rediss://app:a%40b@[::1]:7000/3')).toEqual({
    kind: 'single',
    options: { host: '::1', port: 7000, db: 3, username: 'app', password: 'a@b', tls: {} },
  });
  expect(parseRedisUrl('unix:///run/my%20redis/redis.sock')).toEqual({
    kind: 'single',
    options: { path: '/run/my redis/redis.sock' },
  });
  expect(parseRedisUrl('redis://:pw@a:7000, redis://:pw@b:7001')).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 7001 },
    ],
    options: { db: 0, password: 'pw' },
  });
  expect(parseRedisUrl('redis+sentinel://one,two:5000/orders')).toEqual({
    kind: 'sentinel',
    options: {
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 5000 },
      ],
      name: 'orders',
      db: 0,
    },
  });
  expect(parseRedisUrl('rediss+sentinel://app:pw@one/orders/2?sentinel_password=spw')).toEqual({
    kind: 'sentinel',
    options: {
      sentinels: [{ host: 'one', port: 26_379 }],
      name: 'orders',
      db: 2,
      username: 'app',
      password: 'pw',
      sentinelPassword: 'spw',
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    },
  });
});

test('[R13] an invalid address is refused with the allowed forms, and the password in it is not repeated', () => {
  const shapes = /^must be redis:\/\/host:port, .*redis\+sentinel:\/\//;
  for (const [wrong, message] of [
    ['cache:6379', shapes],
    ['http://cache', shapes],
    ['redis://', shapes],
    ['redis+sentinel://:secret@one,two', shapes],
    ['redis+sentinel://:secret@/orders', shapes],
    ['redis://a, ', shapes],
    ['redis://a,unix:///run/redis.sock', shapes],
    ['redis://a:secret@b,rediss://c', /every address of a cluster/],
    ['redis://a,redis://b/1', /database 0 only/],
    ['redis://a/first', /database by its number/],
    ['redis://:a%secret@b', /%25/],
    ['redis+sentinel://one/orders?sentinel_pasword=secret', /sentinel_password/],
    ['redis://a?db=2', /parameter/],
    [Array.from({ length: 65 }, () => 'redis://a').join(','), /at most 64/],
  ] as const) {
    expect(() => parseRedisUrl(wrong), wrong).toThrow(message);
    expect(() => parseRedisUrl(wrong), wrong).not.toThrow(/secret/);
  }
});
