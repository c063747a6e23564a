import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openapi } from '../../../src/http/openapi/openapi.ts';

test('[H252] redocly finds no error and no warning in the document by its recommended rules', async () => {
  const document = openapi() as Record<string, unknown>;
  const folder = await mkdtemp(path.join(tmpdir(), 'openapi-'));
  try {
    const file = path.join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const { totals, problems } = await lint(file);
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
    const { tags: _tags, ...broken } = document;
    await writeFile(file, JSON.stringify({ ...broken, servers: [] }));
    expect((await lint(file)).totals.errors).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

type Report = {
  totals: { errors: number; warnings: number };
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
};

function lint(file: string): Promise<Report> {
  const command = path.resolve('node_modules/@redocly/cli/bin/cli.js');
  // It must not look for a newer version, or report its use.
  const env = {
    PATH: path.dirname(process.execPath),
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  return new Promise((resolve, reject) => {
    const args = [command, 'lint', '--extends=recommended', '--format=json', file];
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (error, stdout) => {
      // It exits with 1 if it has found an error, and the report says which.
      if (stdout === '') reject(error ?? new Error('redocly reported nothing'));
      else resolve(JSON.parse(stdout) as Report);
    });
  });
}
