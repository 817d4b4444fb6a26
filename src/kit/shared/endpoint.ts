import type { z } from 'zod'
import type { RefusalKind } from './refusal.ts'

/**
 * One call of the API: everything that crosses the wire, said once. The server registers it, the typed caller and the
 * OpenAPI document are made from it.
 */
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
   * `/api/things/{thing_id}`. One that ends in `?view=map` is a view of that address, asked for by this value of the query;
   * it has inputs and an answer of its own.
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
  /** Who may ask. The server decides it in one place, before the rule sees anything. */
  readonly access: Asker
  /** The body arrives as multipart/form-data, with at most these files. An empty file part counts as absent. */
  readonly files?: Readonly<Record<string, { readonly maxBytes: number }>>
  /** Media type of a 200 that is a file and no JSON; the rule answers a `FileAnswer`. */
  readonly fileType?: string
  /**
   * True for a text that programs fetch again and again (a calendar, RSS): it is answered inline with an ETag, unchanged with
   * 304; the rule answers a `FeedAnswer`, and `fileType` is its media type. `secret`: of one person, so that caches on the
   * way keep nothing of it.
   */
  readonly feed?: true | 'secret'
  /** True for an address that a browser is sent to: the rule answers a `Redirect`. */
  readonly redirects?: true
  /** True for server-sent events: the rule answers a `StreamAnswer`. */
  readonly stream?: true
  /**
   * True for a GET whose rule writes, be it a count. Every other GET is a rule that only reads: it gets the reading database,
   * in which a statement that writes fails. All other methods change something.
   */
  readonly changes?: true
  /**
   * Field of the answer that says which version of the thing it is, sent as `ETag`. An endpoint that changes the thing
   * then takes `If-Match` and refuses with 409 `changed_meanwhile` when that is another version by now; its rule checks
   * it by `expectVersion`. Without `If-Match` every payload is accepted.
   */
  readonly version?: 'updated_at'
  /**
   * The same `Idempotency-Key` (a header, at most 200 characters) gives the same answer again. The rule finds it as
   * `asking.idempotencyKey` and sees to it.
   */
  readonly idempotent?: true
  /**
   * An action of staff: roles, an `Idempotency-Key`, and exactly one entry in their log, written in the transaction of the action.
   * `inverse` says whether the log can take it back; false: final.
   */
  readonly staff?: { readonly action: string; readonly inverse: boolean }
  /**
   * Somebody else's machine writes here: the rule gets the body as its bytes came, at most so many, and the header with
   * their signature (`raw`). Nothing of it was looked at.
   */
  readonly webhook?: { readonly signature: string; readonly maxBytes: number }
  /**
   * How long the rule may ask of the database where everybody else gets an answer within 5 s: for work of staff on large
   * files. A single statement is cut off as ever.
   */
  readonly answersWithinMs?: number
  /**
   * Tells which calls ask the database for much: words, filters that little fits, maps. They take turns by the address of who
   * asks; who waits for too long gets 503 with `Retry-After`.
   */
  costly?(query: Query extends z.ZodType ? z.output<Query> : undefined): boolean
  /** True for a GET that must see the last change of anybody, so is never read from a replica. */
  readonly fresh?: true
  /**
   * True for a GET that answers the same to everybody who sends no token, in every language. Where the operator wants it
   * (`PUBLIC_CACHE_SECONDS`), caches on the way keep the answer for some seconds.
   */
  readonly shared?: true
  /** True for a change that its author need not see at once, such as a counted view: reads may go on at the replicas. */
  readonly seenLater?: true
  readonly status?: 200 | 201 | 202 | 204 | 303
  /** True where the specification takes every 2xx for a success, whatever the content is: screens read none of it. */
  readonly statusOnly?: true
  /** True when the answer is a page of a list: `X-Total-Count`, `Link: rel=next`. */
  readonly paged?: boolean
  readonly refusals: readonly RefusalKind[]
}

/**
 * `public`: anybody; a token is not even looked at. `noticed`: anybody; a living token says who asks, a dead one counts as
 * none. With `roles`: only these (401 without a living token, 403 for another role).
 */
export type Access =
  | 'public'
  | 'noticed'
  | {
      readonly roles: readonly string[]
      /** Only with a verified e-mail address, where the operator demands one (403 `email_unverified`). */
      readonly verified?: true
      /** Also before a second factor is set up, for those who must have one (else 403 `second_factor_required`). */
      readonly beforeSecondFactor?: true
    }

/** A file of a form as a rule receives it. Nothing in it is believed before it was decoded. */
export interface ReceivedFile {
  bytes: Uint8Array
  name: string
  type: string
}

/** The body of a webhook; empty elsewhere. */
export interface RawBody {
  bytes: Uint8Array
  /** Empty: the header did not come. */
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
 * The token of who asks goes along, for something a person asked for (`action`) or that the page asks by itself
 * (`background`). Only a refused action can end who this browser is; a call without a token has neither.
 */
export type CallAs = 'action' | 'background'

/** Contracts are types alone in the browser, so who calls says whether the token goes along; their types hold it to that. */
type Bearer<Asker> = Asker extends { roles: readonly string[] }
  ? { as: CallAs }
  : Asker extends 'public'
    ? { as?: undefined }
    : { as?: CallAs | undefined }

type Parts<Params, Query, Body> = (Params extends undefined ? { params?: undefined } : { params: Params }) &
  (Query extends undefined ? { query?: undefined } : { query?: Query }) &
  (Body extends undefined ? { body?: undefined } : { body: Body }) & {
    files?: Record<string, Blob>
    /** The version that a change is meant for; refused with 409 when there is another by now. */
    ifMatch?: string | undefined
    /** The same one with the same wish gives the same answer, however often it is sent. */
    idempotencyKey?: string | undefined
  }

/** What a caller hands in. */
export type CallInput<E extends AnyEndpoint> =
  E extends Endpoint<HttpMethod, string, infer P, infer Q, infer B, infer _A, infer W>
    ? Parts<In<P>, In<Q>, In<B>> & Bearer<W>
    : never

/** What a caller hands in of what somebody typed, into the address bar or a form: the API says what is wrong with it. */
export interface TypedInput {
  readonly typed: true
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly files?: Readonly<Record<string, Blob | ReceivedFile>>
}

/** What a rule receives after the contract has checked it. */
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
  /** Rows of the whole list, of which the body is one page; null where the endpoint is no list. */
  total: number | null
  /** True when there are more than `total`. */
  totalCapped: boolean
  /** True when nothing has the typed words, and the list is of what they may have been meant to be. */
  guessed: boolean
  /** Value of `after` for the next page; null on the last. */
  next: string | null
  /** Value of `before` for the page before; null on the first, and where a list cannot be walked backwards. */
  prev: string | null
}

/** Asks the API: in process on the server, by fetch in the browser. Throws `CallRefused`. */
export type Call = <E extends AnyEndpoint>(
  operation: Operation<E>,
  input?: CallInput<E> | TypedInput,
) => Promise<Answer<E>>
