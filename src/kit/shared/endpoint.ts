import type { z } from 'zod'
import type { RefusalKind } from './refusal.ts'

/** The contract of one API endpoint. The server's route, the typed caller and the OpenAPI document are derived from it. */
export interface Endpoint<
  Method extends HttpMethod = HttpMethod,
  Path extends string = string,
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Answer extends z.ZodType | null = z.ZodType | null,
  Asker extends Access = Access,
> {
  readonly method: Method
  /**
   * `/api/things/{thing_id}`. A path that ends in `?view=map` is a view of the address before the `?`: the endpoint for requests with
   * this value in their query. It has its own inputs and answer.
   */
  readonly path: Path
  /** One sentence for the OpenAPI document. */
  readonly summary: string
  /** The room, for grouping in the OpenAPI document. */
  readonly tag: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Shape of the 2xx body; null: no body (204). */
  readonly answer: Answer
  /** Who may call. The server checks it in one place, before the rule runs. */
  readonly access: Asker
  /** The body arrives as multipart/form-data, with at most these files. An empty file part counts as absent. */
  readonly files?: Readonly<Record<string, { readonly maxBytes: number }>>
  /** Media type of a 200 that is a file instead of JSON; the rule returns a `FileAnswer`. */
  readonly fileType?: string
  /**
   * A text that programs fetch repeatedly (a calendar, RSS). It has an ETag, and is answered with 304 while it is unchanged; the rule
   * returns a `FeedAnswer`, and `fileType` is its media type. `secret`: it belongs to one person, so shared caches must not store it.
   */
  readonly feed?: true | 'secret'
  /** The rule returns a `Redirect`. */
  readonly redirects?: true
  /** Server-sent events: the rule returns a `StreamAnswer`. */
  readonly stream?: true
  /**
   * For a GET whose rule writes, even if only a counter. Every other GET gets the read-only database, in which a write fails. All other
   * methods count as changes.
   */
  readonly changes?: true
  /**
   * Field of the answer that holds the thing's version, sent as `ETag`. An endpoint that changes the thing takes `If-Match`: its rule
   * calls `expectVersion`, which refuses another version with 409 `changed_meanwhile`. Without `If-Match` no version is checked.
   */
  readonly version?: 'updated_at'
  /**
   * A repeated `Idempotency-Key` (a header, at most 200 characters) gets the first answer again. The rule must do this, by
   * `asking.idempotencyKey`.
   */
  readonly idempotent?: true
  /**
   * A staff action. It needs roles and an `Idempotency-Key`, and writes exactly one audit entry in its own transaction.
   * `inverse`: staff can undo it from the log.
   */
  readonly staff?: { readonly action: string; readonly inverse: boolean }
  /**
   * A call from an outside service. The rule gets the unchecked body, at most `maxBytes`, and the value of the header `signature` as
   * `raw`.
   */
  readonly webhook?: { readonly signature: string; readonly maxBytes: number }
  /**
   * Time limit of the rule's database work, instead of the usual 4.2 s: for staff who import large files. The limit of a single statement
   * stays.
   */
  readonly answersWithinMs?: number
  /**
   * True for queries that cost the database much, such as text searches, rare filters and maps. They wait in a fair queue by client
   * address; a call that waits too long gets 503 with `Retry-After`.
   */
  costly?(query: Query extends z.ZodType ? z.output<Query> : undefined): boolean
  /** For a GET that must see every change at once: it is never read from a replica. */
  readonly fresh?: true
  /**
   * For a GET whose answer is the same for everybody without a token, in every language. Shared caches may store it for
   * `PUBLIC_CACHE_SECONDS`.
   */
  readonly shared?: true
  /** For a change that its author need not see at once, such as a counted view: the author's reads may still go to replicas. */
  readonly seenLater?: true
  readonly status?: 200 | 201 | 202 | 204 | 303
  /** Every 2xx is a success, whatever its body (specification): screens do not read it. */
  readonly statusOnly?: true
  /** The answer is a page of a list, with `X-Total-Count` and `Link: rel=next`. */
  readonly paged?: boolean
  readonly refusals: readonly RefusalKind[]
}

/**
 * `public`: anybody; a token is ignored. `noticed`: anybody; a valid token identifies the caller, an invalid one counts as none.
 * `roles`: only these roles (401 without a valid token, 403 for another role).
 */
export type Access =
  | 'public'
  | 'noticed'
  | {
      readonly roles: readonly string[]
      /** Needs a confirmed email address where the operator demands one (403 `email_unverified`). */
      readonly verified?: true
      /** Allowed before a required second factor is set up (else 403 `second_factor_required`). */
      readonly beforeSecondFactor?: true
    }

/** An uploaded file. `name` and `type` are what the sender claims. */
export interface ReceivedFile {
  bytes: Uint8Array
  name: string
  type: string
}

/** The body of a webhook; empty elsewhere. */
export interface RawBody {
  bytes: Uint8Array
  /** Empty where the header is missing. */
  signature: string
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type AnyEndpoint = Endpoint<
  HttpMethod,
  string,
  z.ZodType | undefined,
  z.ZodType | undefined,
  z.ZodType | undefined,
  z.ZodType | null,
  Access
>

export function endpoint<
  const Method extends HttpMethod,
  const Path extends string,
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | null = null,
  const Asker extends Access = Access,
>(definition: Endpoint<Method, Path, Params, Query, Body, Answer, Asker>) {
  return definition
}

export function changesSomething({ method, changes }: Pick<AnyEndpoint, 'method' | 'changes'>): boolean {
  return method !== 'GET' || changes === true
}

/** `GET /api/things/{thing_id}` */
export type Operation<E extends AnyEndpoint> = `${E['method']} ${E['path']}`

type In<S> = S extends z.ZodType ? z.input<S> : undefined
type Out<S> = S extends z.ZodType ? z.output<S> : undefined

/**
 * How a call sends the token: for a person's `action`, or for the page itself (`background`). Only a refused action may end the session.
 * Calls without a token are neither.
 */
export type CallAs = 'action' | 'background'

/** The browser knows contracts only as types, so the caller passes `as`; these types demand it where the contract does. */
type Bearer<Asker> = Asker extends { roles: readonly string[] }
  ? { as: CallAs }
  : Asker extends 'public'
    ? { as?: undefined }
    : { as?: CallAs | undefined }

type Parts<Params, Query, Body> = (Params extends undefined ? { params?: undefined } : { params: Params }) &
  (Query extends undefined ? { query?: undefined } : { query?: Query }) &
  (Body extends undefined ? { body?: undefined } : { body: Body }) & {
    files?: Record<string, Blob>
    /** The version that a change is based on; refused with 409 when the thing has another one by now. */
    ifMatch?: string | undefined
    /** A repeated request with the same key gets the first answer again. */
    idempotencyKey?: string | undefined
  }

/** Input of a call. */
export type CallInput<E extends AnyEndpoint> =
  E extends Endpoint<HttpMethod, string, infer P, infer Q, infer B, infer _A, infer W>
    ? Parts<In<P>, In<Q>, In<B>> & Bearer<W>
    : never

/** Unchecked input from the address bar or a form: the API answers what is wrong with it. */
export interface TypedInput {
  readonly typed: true
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly files?: Readonly<Record<string, Blob | ReceivedFile>>
}

/** Input of a rule, checked by the contract. */
export type CheckedInput<E extends AnyEndpoint> =
  E extends Endpoint<HttpMethod, string, infer P, infer Q, infer B, infer _A, infer _W>
    ? { params: Out<P>; query: Out<Q>; body: Out<B>; files: Partial<Record<string, ReceivedFile>>; raw: RawBody }
    : never

export type AnswerBody<E extends AnyEndpoint> =
  E extends Endpoint<HttpMethod, string, infer _P, infer _Q, infer _B, infer A, infer _W>
    ? A extends z.ZodType
      ? z.output<A>
      : null
    : never

export interface Answer<E extends AnyEndpoint> {
  body: AnswerBody<E>
  /** Rows of the whole list, of which the body is one page; null for endpoints that answer no list. */
  total: number | null
  /** The list has more rows than `total`. */
  totalCapped: boolean
  /** Nothing matches the typed words; the list has close matches. */
  guessed: boolean
  /** Value of `after` for the next page; null on the last. */
  next: string | null
  /** Value of `before` for the page before; null on the first, and where a list cannot be walked backwards. */
  prev: string | null
  /** In browsers: when the phone stored this answer, ISO; null or absent: it is the server's. */
  cachedAt?: string | null
}

/** Calls the API: in process on the server, by fetch in the browser. @throws CallRefused */
export type Call = <E extends AnyEndpoint>(
  operation: Operation<E>,
  input?: CallInput<E> | TypedInput,
) => Promise<Answer<E>>
