import { OPERATIONS, type Operations } from './generated/operations.ts';
import { isPage, Pages, type Page } from './pages.ts';
import { isRecord, type Fields } from './records.ts';
import { createTransport, type CallOptions, type Transport, type TransportOptions } from './transport.ts';

/** A client of the service: a method for each operation, by section. */
export type Client = Operations & {
  /** Sends any request with the retries of the client. It is for routes that this version of the client does not know. */
  readonly request: Transport;
};

type Row = {
  readonly route: string;
  readonly body?: 'json' | 'form';
  readonly query?: true;
  /** By default an object. */
  readonly answer?: keyof typeof IS_SOUND;
  readonly keyed?: true;
};
type Scalar = string | number | boolean;

/** How an answer of each kind is judged. An empty one is judged like that of any request. */
const IS_SOUND = { empty: undefined, object: isRecord, page: isPage, pages: isPage };

/**
 * Creates a client. It repeats requests that had no answer, or that the service could not take, with the same
 * `Idempotency-Key`. Its methods throw `ServiceProblem` for a refusal and `NoAnswer` if the service does not answer.
 */
export function createClient(options: TransportOptions): Client {
  const request = createTransport(options);
  const sections = Object.entries(OPERATIONS).map(([section, rows]) => [section, sectionOf(rows, request)]);
  // The generated table and the generated type list the same methods.
  return { ...(Object.fromEntries(sections) as Operations), request };
}

function sectionOf(rows: Readonly<Record<string, Row>>, request: Transport): object {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, methodOf(row, request)]));
}

function methodOf(row: Row, request: Transport): (...inputs: readonly unknown[]) => unknown {
  const [method = '', template = ''] = row.route.split(' ');
  const idCount = template.split('{').length - 1;
  return (...inputs) => {
    const rest = inputs.slice(idCount);
    const path = fillPath(template, inputs.slice(0, idCount));
    const body = row.body === undefined ? undefined : (rest.shift() ?? {});
    const query = row.query === true ? (rest.shift() as Fields | undefined) : undefined;
    const options = rest.shift() as CallOptions | undefined;
    const send = <T>(asked: Fields): Promise<T> =>
      request<T>({
        ...options,
        method,
        path: `${path}${queryText(asked)}`,
        keyed: row.keyed ?? false,
        body: row.body === 'form' ? formOf(body as Fields) : body,
        isSound: IS_SOUND[row.answer ?? 'object'],
      });
    if (row.answer !== 'pages') return send(query ?? {});
    return new Pages((cursor) => send<Page<unknown>>(cursor === null ? (query ?? {}) : { ...query, cursor }));
  };
}

/** @throws TypeError for an empty id, which would lead to another route */
function fillPath(template: string, ids: readonly unknown[]): string {
  let next = 0;
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const id = textOf(ids[next]);
    next += 1;
    if (id === '' || id === '.' || id === '..') throw new TypeError(`${template} needs ${name}`);
    return encodeURIComponent(id);
  });
}

function queryText(query: Fields): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, textOf(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** A form of fields and files. An array becomes several fields of the same name. */
function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) {
      if (one instanceof Blob) form.append(name, one);
      else if (one !== undefined && one !== null) form.append(name, textOf(one));
    }
  }
  return form;
}

/** The text of an id or a field; empty if it has none. */
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value as Scalar) : '';
}
