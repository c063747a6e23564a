import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { whyMongodEnded } from '../../src/embedded/mongod.ts';

/** The reason that is found in a log of these lines. */
function reasonIn(lines: readonly string[]): string {
  const dataDir = mkdtempSync(join(inject('scratch'), 'ended-'));
  const logFile = join(dataDir, 'mongod.log');
  writeFileSync(logFile, lines.map((line) => `${line}\n`).join(''));
  return whyMongodEnded({ logFile, ended: () => 'signal SIGKILL' }, dataDir).message;
}

const normal = '{"s":"I","c":"REPL","msg":"Setting featureCompatibilityVersion"}';
const failed = '{"s":"F","c":"CONTROL","msg":"UPGRADE PROBLEM"}';

test('[R25] only whole lines of errors in the log of a mongod say why it ended', () => {
  expect(reasonIn([normal])).toMatch(/^MongoDB ended \(signal SIGKILL\)\. See its log /);
  expect(reasonIn([failed, normal])).toMatch(/ended-\w+\/mongo was written by another version of MongoDB\./);
  // The part of the log that is read begins in the middle of a line.
  const long = normal.replace('msg', `${'x'.repeat(65_536)}","msg`);
  expect(reasonIn([long, normal])).toMatch(/^MongoDB ended /);
  expect(reasonIn([long.slice(0, 60_000), failed])).toMatch(/ was written by another version /);
});
