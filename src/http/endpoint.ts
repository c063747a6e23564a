import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Caller } from '../domain/access.ts';
import { Refusal, type Problem } from '../domain/refusals/refusals.ts';
import { refuseSchema, refuseUnknown } from '../domain/refusals/schema-errors.ts';
import type { CallerAddress } from '../ports/process.ts';
import { csvHeaders, toCsv, wantsCsv, wantsPdf, type Table } from './csv.ts';
import type { HttpContext } from './http-context.ts';
import type { Upload } from '../files/accept-upload.ts';
import { uploadsOf, type UploadFields } from './bodies/read-upload.ts';
import type { Once } from './idempotency/once.ts';
import { PATH_IDS, type IdKind, type Ids } from './path-ids.ts';
import type { ProblemStatus } from './openapi/problem-statuses.ts';
import type { CallerOf, Route } from './policy.ts';

export type Tag =
  | 'Express'
  | 'Deliveries'
  | 'Tracking'
  | 'Couriers'
  | 'Dispatch'
  | 'Vendor'
  | 'Analytics'
  | 'Wallets'
  | 'Billing'
  | 'Webhooks'
  | 'Sign-in'
  | 'Access'
  | 'Service';

/** A parsed request of an authenticated caller. */
export type Asked<R extends Route, K extends IdKind, P extends IdKind, Q, B> = {
  readonly caller: CallerOf<R>;
  readonly id: Ids[K];
  /** The id of a part of the object, such as an offer of the courier. */
  readonly part: Ids[P];
  readonly query: Q;
  readonly body: B;
  /** The files of the form; empty if the route takes none. */
  readonly files: readonly Upload[];
  /** The `If-Match` header, if the row honours it. */
  readonly ifMatch: string | undefined;
  readonly address: CallerAddress;
  /** The caller's program, from `User-Agent`. */
  readonly device: string | null;
  /** The path and query of the request, for links to the next page. */
  readonly url: string;
} & Once;

type Headers = Readonly<Record<string, string>>;

/** An answer whose status or headers differ from the row's. */
export class Answer<A> {
  readonly body: A;
  readonly status: number | null;
  readonly headers: Headers;

  constructor(body: A, { status = null, headers = {} }: { status?: number | null; headers?: Headers } = {}) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

/** The content of a file: all its bytes, or texts that are read one after the other while they are sent. */
export type FileContent = Uint8Array | AsyncIterable<string>;

/** Another form of an answer: a file, for callers who want its type. */
type FileForm<In> = {
  readonly type: FileType;
  readonly open: (ctx: HttpContext, asked: In) => Promise<Answer<FileContent>> | Answer<FileContent>;
};

type FileType = 'text/csv' | 'application/pdf';
const WANTED: Readonly<Record<FileType, (req: Request) => boolean>> = {
  'text/csv': wantsCsv,
  'application/pdf': wantsPdf,
};

/** The settings that limit a body, bytes. By default it is `maxBodyBytes`. */
type BodyLimit = 'maxBodyBytes' | 'maxAuthBodyBytes';

type Spec<R extends Route, K extends IdKind, P extends IdKind, Q, B, A> = {
  readonly route: R;
  /** The `operationId`: the verb and the object by which generated clients call the operation. */
  readonly name: string;
  readonly tag: Tag;
  /** A short title, in the imperative and without a full stop. */
  readonly summary: string;
  /** Full sentences in Markdown: what the operation does, when, and what a caller should know. */
  readonly description: string;
  /** The kinds of the first and of the second id in the path. */
  readonly id?: K;
  readonly part?: P;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  /** True if the operation honours `If-Match`. All others ignore the header. */
  readonly ifMatch?: true;
  /** Statuses of refusals that do not follow from the other fields, such as 402 if it reserves money of a wallet. */
  readonly refuses?: readonly ProblemStatus[];
  readonly bodyLimit?: BodyLimit;
  /** The body is a form (`multipart/form-data`) with these files, each with the most files of its field. */
  readonly upload?: UploadFields;
  /** The schema of the answer; absent if the answer has no body. */
  readonly reply?: z.ZodType<A>;
  /** The answer as a table, for callers who want CSV. The query then has `format`. */
  readonly csv?: (body: A) => Table;
  /** Another form of the answer, which does not come from `run`. */
  readonly file?: FileForm<Asked<R, K, P, Q, B>>;
  readonly status: 200 | 201 | 202 | 204;
  /** Other success statuses, with their meaning. */
  readonly also?: Readonly<Record<number, string>>;
  readonly run: (ctx: HttpContext, asked: Asked<R, K, P, Q, B>) => Promise<A | Answer<A>> | A | Answer<A>;
};

/** A route that answers JSON. `mount` and the OpenAPI document read it. */
export type Endpoint = {
  readonly kind: 'endpoint';
  readonly route: Route;
  readonly name: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly id: IdKind | null;
  readonly part: IdKind | null;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  readonly ifMatch: boolean;
  readonly refuses: readonly ProblemStatus[];
  readonly bodyLimit: BodyLimit;
  readonly upload: UploadFields | null;
  readonly reply: z.ZodType | null;
  /** The type of the file that callers can get instead of JSON; null for none. */
  readonly fileType: FileType | null;
  readonly status: number;
  readonly also: Readonly<Record<number, string>>;
  /** Parses the request and returns the function that runs it. The caller must have passed the policy. */
  readonly prepare: (ctx: HttpContext, req: Request, caller: Caller | null) => Work;
};

/**
 * Runs a parsed request. A request with an `Idempotency-Key` has a context of its own, and the ids that it may make.
 */
export type Work = (ctx: HttpContext, once: Once) => Promise<Answer<unknown>>;

/** A route that answers something other than JSON, or a fixed JSON document. */
export type Page = {
  readonly kind: 'page';
  readonly route: Route;
  readonly name: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly type: string;
  /** The name in the path, if it has one that is not a tracking token, and its values. */
  readonly param?: { readonly name: string; readonly description: string; readonly values: readonly string[] };
  /** Present if the row is a redirection. */
  readonly status?: 302;
  /** Creates what runs before a request is counted: headers that the page of a refusal needs too, or a check of access. */
  readonly guard?: (ctx: HttpContext) => RequestHandler[];
  readonly serve: (ctx: HttpContext) => RequestHandler | RequestHandler[];
  /** Creates the page that shows people a refusal. Without it, callers get a problem. */
  readonly showRefusal?: ShowRefusal;
};

/**
 * @param url the path and query of the request
 * @param retryAfterS seconds after which the request is worth a repeat; null if `Retry-After` does not say
 */
export type ShowRefusal = (problem: Problem, url: string, retryAfterS: number | null) => string;

export type RouteRow = Endpoint | Page;

/** Creates the row of a route from its input, its output and its use case. */
export function endpoint<
  R extends Route,
  K extends IdKind = never,
  P extends IdKind = never,
  Q = unknown,
  B = unknown,
  A = unknown,
>(spec: Spec<R, K, P, Q, B, A>): Endpoint {
  return {
    kind: 'endpoint',
    route: spec.route,
    name: spec.name,
    tag: spec.tag,
    summary: spec.summary,
    description: spec.description,
    id: spec.id ?? null,
    part: spec.part ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    ifMatch: spec.ifMatch === true,
    refuses: spec.refuses ?? [],
    bodyLimit: spec.bodyLimit ?? 'maxBodyBytes',
    upload: spec.upload ?? null,
    reply: spec.reply ?? null,
    fileType: spec.csv === undefined ? (spec.file?.type ?? null) : 'text/csv',
    status: spec.status,
    also: spec.also ?? {},
    prepare: (ctx, req, caller) => {
      const asked: Omit<Asked<R, K, P, Q, B>, keyof Once> = {
        // The policy allows only these kinds of callers.
        caller: caller as CallerOf<R>,
        id: parseId(spec.id, req),
        part: parseId(spec.part, req),
        query: parse(spec.query, req.query),
        body: parse(spec.body, req.body === undefined ? {} : req.body),
        files: uploadsOf(req),
        ifMatch: spec.ifMatch === true ? req.get('if-match') : undefined,
        address: ctx.addressOf(req),
        device: req.get('user-agent') ?? null,
        url: req.originalUrl,
      };
      return async (own, once) => {
        const whole = { ...asked, ...once } as Asked<R, K, P, Q, B>;
        if (spec.file !== undefined && WANTED[spec.file.type](req)) return spec.file.open(own, whole);
        const told = await spec.run(own, whole);
        const answer = told instanceof Answer ? told : new Answer(told);
        return spec.csv !== undefined && wantsCsv(req) ? asCsv(answer, spec.csv, spec.route) : answer;
      };
    },
  };
}

/** The answer as a file that is named after the path of the route. */
function asCsv<A>({ body, status, headers }: Answer<A>, tableOf: (body: A) => Table, route: Route): Answer<string> {
  return new Answer(toCsv(tableOf(body)), { status, headers: { ...headers, ...csvHeaders(route) } });
}

function parseId<K extends IdKind>(kind: K | undefined, req: Request): Ids[K] {
  // Without a kind, K is `never` and no code can read the id.
  if (kind === undefined) return undefined as never;
  const { name, schema, absent } = PATH_IDS[kind];
  const parsed = schema.safeParse(req.params[name]);
  if (!parsed.success) throw new Refusal(absent);
  return parsed.data;
}

const Nothing = z.strictObject({});

/** Parses a part of the request. A part without a schema must be empty. */
function parse<T>(schema: z.ZodType<T> | undefined, value: unknown): T {
  const wanted = schema ?? Nothing;
  refuseUnknown(wanted, value);
  const parsed = wanted.safeParse(value);
  if (!parsed.success) throw refuseSchema(wanted, value, parsed.error.issues);
  return parsed.data as T;
}
