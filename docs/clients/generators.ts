import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SAMPLES } from './samples.ts';

const JAR = 'openapi-generator-cli-7.25.0.jar';
const JAR_SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const PACKAGES = {
  '@hey-api/openapi-ts': '0.95.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
};
/** A client sends no webhooks, and the code that the Python generator writes for them does not compile. */
const PARTS = 'apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false';

/** What a generator and the compiler of its language said. An empty list of warnings is the aim. */
export type Outcome = { readonly name: keyof typeof SAMPLES; readonly warnings: readonly string[] };

/**
 * Generates and compiles a client in each language, with a sample that creates a delivery. A client that does not
 * compile throws.
 * @param folder where tools and clients lie; tools stay from run to run
 * @param document the OpenAPI document, a path
 * @param bin the folder of the programs of this project
 */
export function checkAll(folder: string, document: string, bin: string): Outcome[] {
  mkdirSync(folder, { recursive: true });
  return [...nodeClients(folder, document, bin), ...jarClients(folder, document, bin)];
}

function nodeClients(folder: string, document: string, bin: string): Outcome[] {
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies: PACKAGES }));
  run(folder, 'npm', ['install', '--silent', '--no-audit', '--no-fund']);
  const programs = path.join(folder, 'node_modules', '.bin');
  const typed = fresh(folder, 'openapi-typescript');
  const first = run(typed, path.join(programs, 'openapi-typescript'), [document, '-o', 'generated.ts']);
  compileNode(typed, bin, SAMPLES['openapi-typescript']);
  const hey = fresh(folder, 'hey-api');
  const second = run(hey, path.join(programs, 'openapi-ts'), [
    '-i',
    document,
    '-o',
    'generated',
    '-c',
    '@hey-api/client-fetch',
  ]);
  compileNode(hey, bin, SAMPLES['hey-api']);
  return [
    { name: 'openapi-typescript', warnings: warningsIn(first) },
    { name: 'hey-api', warnings: warningsIn(second) },
  ];
}

function jarClients(folder: string, document: string, bin: string): Outcome[] {
  const jar = path.join(folder, JAR);
  if (!existsSync(jar)) {
    const artifact = `org.openapitools:openapi-generator-cli:${JAR.replace(/^\D+-|\.jar$/g, '')}`;
    run(folder, 'mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]);
  }
  const found = createHash('sha256').update(readFileSync(jar)).digest('hex');
  if (found !== JAR_SHA256) throw new Error(`${JAR} has the SHA-256 ${found}`);
  const generate = (name: 'typescript-fetch' | 'java' | 'python'): { at: string; outcome: Outcome } => {
    const at = fresh(folder, name);
    const said = run(at, 'java', [
      '-jar',
      jar,
      'generate',
      '-i',
      document,
      '-g',
      name,
      '-o',
      at,
      '--global-property',
      PARTS,
    ]);
    return { at, outcome: { name, warnings: warningsIn(said) } };
  };
  const fetched = generate('typescript-fetch');
  compileNode(fetched.at, bin, SAMPLES['typescript-fetch']);
  const java = generate('java');
  writeFileSync(path.join(java.at, 'src', 'main', 'java', 'Sample.java'), SAMPLES.java);
  run(java.at, 'mvn', ['-q', '-B', 'compile']);
  const python = generate('python');
  const libraries = path.join(folder, 'python-libraries');
  run(python.at, 'python3', [
    '-m',
    'pip',
    'install',
    '-q',
    '--target',
    libraries,
    '--upgrade',
    '-r',
    'requirements.txt',
  ]);
  run(python.at, 'python3', ['-m', 'compileall', '-q', 'openapi_client']);
  run(python.at, 'python3', ['-c', SAMPLES.python], { PYTHONPATH: `${python.at}:${libraries}` });
  return [fetched.outcome, java.outcome, python.outcome];
}

/** An empty folder of this name. */
function fresh(folder: string, name: string): string {
  const at = path.join(folder, name);
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at);
  return at;
}

function compileNode(at: string, bin: string, sample: string): void {
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  writeFileSync(path.join(at, 'sample.ts'), sample);
  writeFileSync(path.join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  run(at, path.join(bin, 'tsc'), ['-p', '.']);
}

/** Runs a program, and returns all that it printed. If it fails, the error has the end of it. */
function run(cwd: string, program: string, args: readonly string[], more: Record<string, string> = {}): string {
  // oxlint-disable-next-line node/no-process-env -- compilers need the PATH and HOME of this process
  const env = { ...process.env, ...more };
  try {
    return execFileSync(program, args, {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${path.basename(program)} ${args.join(' ')}\n${`${stdout}${stderr}`.slice(-4000)}`, {
      cause: error,
    });
  }
}

/** The lines with warnings, without the one that every document of OpenAPI 3.1 gets. */
function warningsIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => /\bwarn(ing)?\b/i.test(line) && !line.includes('3.1 support is still in beta'));
}
