import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { signatureHeaders } from '../../../src/webhooks/sign.ts';

const run = promisify(execFile);

/** A machine without Go cannot try it, and the report shows that the test was skipped. */
const hasGo = spawnSync('go', ['version']).error === undefined;

test.skipIf(!hasGo)('[H259] the Go sample of the guide accepts a true signature and refuses a false one', async () => {
  const guide = await readFile(path.resolve('docs/guides/webhooks.md'), 'utf8');
  const sample = /^```go\n(.*?)^```$/ms.exec(guide)?.[1] ?? '';
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const header = signatureHeaders([secret], 'evt_1', 1_795_348_800, '{}')['x-service-signature'] ?? '';
  const both = signatureHeaders(['whsec_old', secret], 'evt_1', 1_795_348_800, '{}')['x-service-signature'] ?? '';
  const main = `func main() {
	println(verify("${secret}", []byte("{}"), "${header}", 1795348860))
	println(verify("${secret}", []byte("{}"), "${header}", 1795349160))
	println(verify("${secret}", []byte("{ }"), "${header}", 1795348800))
	println(verify("other", []byte("{}"), "${header}", 1795348800))
	println(verify("${secret}", []byte("{}"), "", 1795348800))
	println(verify("${secret}", []byte("{}"), "${both}", 1795348800))
	println(verify("whsec_old", []byte("{}"), "${both}", 1795348800))
}
`;
  const folder = await mkdtemp(path.join(tmpdir(), 'guide-go-'));
  try {
    await writeFile(path.join(folder, 'main.go'), `package main\n\n${sample}\n${main}`);
    const { stderr } = await run('go', ['run', path.join(folder, 'main.go')]);
    expect(stderr.trim().split('\n')).toEqual(['true', 'false', 'false', 'false', 'false', 'true', 'true']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
