import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { ENVIRONMENT } from '../environment.ts';

/** A request of a test and its answer, as `npm run docs:examples` reads them. */
export type RecordedCall = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly request?: unknown;
  readonly response?: unknown;
};

/** The folder to which calls are written; undefined in a usual run. */
const FOLDER = ENVIRONMENT['EXAMPLES_FOLDER'];

/** Keeps the call for the examples of the document, if this run records them. */
export function recordExample(call: Omit<RecordedCall, 'at'>): void {
  if (FOLDER === undefined) return;
  const request = call.request instanceof FormData ? fieldsOf(call.request) : call.request;
  appendFileSync(
    path.join(FOLDER, `${process.pid}.jsonl`),
    `${JSON.stringify({ ...call, request, at: Date.now() })}\n`,
  );
}

/** The fields of a form. A file is shown by its name. */
function fieldsOf(form: FormData): object {
  const names = [...new Set(form.keys())];
  const shown = (value: string | File): string => (typeof value === 'string' ? value : value.name);
  return Object.fromEntries(
    names.map((name) => {
      const values = form.getAll(name).map(shown);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
