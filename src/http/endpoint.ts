import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Caller } from '../domain/access.ts';
import { idSchema, type CourierId, type DeliveryId } from '../domain/ids.ts';
import { Refusal, type PlainCode } from '../domain/refusals/refusals.ts';
import { refuseSchema, refuseUnknown } from '../domain/refusals/schema-errors.ts';
import type { CallerAddress } from '../ports/process.ts';
import type { HttpContext } from './http-context.ts';
import type { CallerOf, Route } from './policy.ts';

export type Tag =
  | 'Express'
  | 'Deliveries'
  | 'Tracking'
  | 'Couriers'
  | 'Dispatch'
  | 'Vendor'
  | 'Webhooks'
  | 'Sign-in'
  | 'Service';

type Ids = { delivery: DeliveryId; courier: CourierId; link: string };
export type IdKind = keyof Ids;

type PathId<T> = { readonly name: 'id' | 'token'; readonly schema: z.ZodType<T>; readonly absent: PlainCode };

/** What a path may name. A malformed id answers as an absent one. */
export const PATH_IDS: { readonly [K in IdKind]: PathId<Ids[K]> } = {
  delivery: { name: 'id', schema: idSchema('del'), absent: 'delivery_not_found' },
  courier: { name: 'id', schema: idSchema('cou'), absent: 'courier_not_found' },
  link: { name: 'token', schema: z.string().max(128), absent: 'tracking_link_not_found' },
};

/** A request after all parsing: who asks is proven, and every part has its type. */
export type Asked<R extends Route, K extends IdKind, Q, B> = {
  readonly caller: CallerOf<R>;
  readonly id: Ids[K];
  readonly query: Q;
  readonly body: B;
  readonly ifMatch: string | undefined;
  readonly address: CallerAddress;
  /** The path and query as they came, for links to the next page. */
  readonly url: string;
};

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

/** The settings that bound a body, bytes. */
type BodyLimit = 'maxBodyBytes' | 'maxAuthBodyBytes';

type Spec<R extends Route, K extends IdKind, Q, B, A> = {
  readonly route: R;
  readonly tag: Tag;
  readonly summary: string;
  readonly id?: K;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  /** The setting that bounds the body; `maxBodyBytes` when absent. */
  readonly bodyLimit?: BodyLimit;
  /** The schema of the answer; absent when there is no body. */
  readonly reply?: z.ZodType<A>;
  readonly status: 200 | 201 | 202 | 204;
  /** Other statuses of success, with the reason. */
  readonly also?: Readonly<Record<number, string>>;
  readonly run: (ctx: HttpContext, asked: Asked<R, K, Q, B>) => Promise<A | Answer<A>> | A | Answer<A>;
};

/** A route that answers JSON, as `mount` and the document read it. */
export type Endpoint = {
  readonly kind: 'endpoint';
  readonly route: Route;
  readonly tag: Tag;
  readonly summary: string;
  readonly id: IdKind | null;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  readonly bodyLimit: BodyLimit;
  readonly reply: z.ZodType | null;
  readonly status: number;
  readonly also: Readonly<Record<number, string>>;
  /** Parses, runs and gives the answer. The caller must have passed the policy. */
  readonly answer: (ctx: HttpContext, req: Request, caller: Caller | null) => Promise<Answer<unknown>>;
};

/** A route that answers something else than JSON, or JSON that is made elsewhere. */
export type Page = {
  readonly kind: 'page';
  readonly route: Route;
  readonly tag: Tag;
  readonly summary: string;
  readonly type: string;
  /** Where the row only leads elsewhere. */
  readonly status?: 302;
  /** `rows` are all rows of the server, for the page that describes them. */
  readonly serve: (ctx: HttpContext, rows: readonly RouteRow[]) => RequestHandler | RequestHandler[];
};

export type RouteRow = Endpoint | Page;

/** Makes the row of a route: what goes in, what comes out, and the use case between. */
export function endpoint<R extends Route, K extends IdKind = never, Q = unknown, B = unknown, A = unknown>(
  spec: Spec<R, K, Q, B, A>,
): Endpoint {
  return {
    kind: 'endpoint',
    route: spec.route,
    tag: spec.tag,
    summary: spec.summary,
    id: spec.id ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    bodyLimit: spec.bodyLimit ?? 'maxBodyBytes',
    reply: spec.reply ?? null,
    status: spec.status,
    also: spec.also ?? {},
    answer: async (ctx, req, caller) => {
      const asked: Asked<R, K, Q, B> = {
        // The policy has let in only these kinds of callers.
        caller: caller as CallerOf<R>,
        id: parseId(spec.id, req),
        query: parse(spec.query, req.query),
        body: parse(spec.body, req.body === undefined ? {} : req.body),
        ifMatch: req.get('if-match'),
        address: ctx.addressOf(req),
        url: req.originalUrl,
      };
      const told = await spec.run(ctx, asked);
      return told instanceof Answer ? told : new Answer<unknown>(told);
    },
  };
}

function parseId<K extends IdKind>(kind: K | undefined, req: Request): Ids[K] {
  // Without a kind, K is `never` and nobody can read the id.
  if (kind === undefined) return undefined as never;
  const { name, schema, absent } = PATH_IDS[kind];
  const parsed = schema.safeParse(req.params[name]);
  if (!parsed.success) throw new Refusal(absent);
  return parsed.data;
}

const Nothing = z.strictObject({});

/** A part that a row does not name must be empty. */
function parse<T>(schema: z.ZodType<T> | undefined, value: unknown): T {
  const wanted = schema ?? Nothing;
  refuseUnknown(wanted, value);
  const parsed = wanted.safeParse(value);
  if (!parsed.success) throw refuseSchema(wanted, value, parsed.error.issues);
  return parsed.data as T;
}
