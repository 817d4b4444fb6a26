import { changesSomething, type AnyEndpoint } from '../shared/endpoint.ts'
import { changedMeanwhile } from '../shared/refusal.ts'
import { refusalsOf } from './access.ts'
import { answerSchema, inputSchema } from './json-schema.ts'

/**
 * An endpoint in the OpenAPI document: inputs, answers, refusals, limits. OpenAPI has one operation per address and method, so the inputs
 * and answers of `views` are part of it.
 */
export function documented(endpoint: AnyEndpoint, views: AnyEndpoint[] = []) {
  const always = endpoint.body || endpoint.webhook ? [...anywhere, ...whereBodiesAreRead] : anywhere
  const byStatus = new Map<number, string[]>(always.map(([status, code]) => [status, [code]]))
  const takesIfMatch = endpoint.version !== undefined && changesSomething(endpoint)
  const refusals = [...endpoint.refusals, ...refusalsOf(endpoint.access), ...(takesIfMatch ? [changedMeanwhile] : [])]
  for (const { status, code } of refusals)
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])].sort())
  const answers = [endpoint, ...views]
    .flatMap(({ answer }) => answer ?? [])
    .map((answer) => answerSchema(answer).schema)
  const queries = [...views, endpoint].flatMap(({ query }) => query ?? []).map((query) => inputSchema(query))
  return {
    summary: endpoint.summary,
    description: `${endpoint.summary}.`,
    tags: [endpoint.tag],
    operationId: `${endpoint.method.toLowerCase()}_${endpoint.path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
    ...(endpoint.params ? { params: inputSchema(endpoint.params) } : {}),
    ...(queries.length > 0 ? { querystring: anyOfThese(queries) } : {}),
    ...(endpoint.body ? { body: bodySchema(endpoint) } : {}),
    ...(endpoint.webhook ? { body: signedBody } : {}),
    ...headersOf(endpoint, takesIfMatch),
    ...(endpoint.files ? { consumes: ['multipart/form-data', 'application/json'] } : {}),
    ...(endpoint.fileType ? { produces: [endpoint.fileType] } : {}),
    ...(endpoint.stream ? { produces: ['text/event-stream'] } : {}),
    ...(endpoint.staff ? { 'x-staff-action': endpoint.staff } : {}),
    response: {
      [endpoint.status ?? 200]: {
        description: endpoint.answer ? 'Done' : withoutJson(endpoint),
        headers: {
          ...alwaysHeaders,
          ...(endpoint.paged ? pageHeaders : {}),
          ...(endpoint.redirects ? locationHeader : {}),
          ...(endpoint.version ? etagHeader : {}),
          ...(endpoint.feed ? tagHeader : {}),
          ...(endpoint.access === 'noticed' && endpoint.method === 'GET' ? challengeHeader : {}),
        },
        ...(answers.length > 0
          ? { content: { 'application/json': { schema: answers.length > 1 ? { anyOf: answers } : answers[0] } } }
          : bodyless(endpoint)),
      },
      ...(endpoint.feed ? { 304: { description: 'Not changed', headers: alwaysHeaders, type: 'null' } } : {}),
      ...Object.fromEntries(
        [...byStatus].map(([status, codes]) => [
          status,
          {
            description: codes.join(', '),
            headers: {
              ...alwaysHeaders,
              ...(status === 429 || status === 503 ? waitHeader : {}),
              ...(status === 401 ? challengeHeader : {}),
            },
            // JSON for every type of answer
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
          },
        ]),
      ),
    },
  }
}

/** Refusals and the named shapes of answers, for `components.schemas`. @throws Error where two shapes have the same name */
export function namedSchemas(endpoints: AnyEndpoint[]): Record<string, object> {
  const all: Record<string, object> = { Refusal: refused }
  for (const { answer } of endpoints)
    for (const [name, schema] of Object.entries(answer ? answerSchema(answer).named : {})) {
      if (name in all && JSON.stringify(all[name]) !== JSON.stringify(schema))
        throw new Error(`Two shapes of answers are named ${name}.`)
      all[name] = schema
    }
  return all
}

/** One object with the properties of all queries. */
function anyOfThese(queries: Record<string, unknown>[]) {
  const properties = Object.assign({}, ...queries.map((query) => query['properties'])) as object
  return { ...queries.at(-1), properties }
}

function bodySchema({ body, files }: AnyEndpoint) {
  const json = inputSchema(body!)
  const parts = Object.entries(files ?? {}).map(([name, { maxBytes }]) => [
    name,
    { type: 'string', format: 'binary', maxLength: maxBytes },
  ])
  return { ...json, properties: { ...(json['properties'] as object), ...Object.fromEntries(parts) } }
}

const signedBody = { type: 'object', additionalProperties: true, description: 'as its bytes were signed' } as const

function headersOf({ idempotent, webhook }: AnyEndpoint, takesIfMatch: boolean) {
  const properties = {
    ...(takesIfMatch ? ifMatchHeader : {}),
    ...(idempotent ? keyHeader : {}),
    ...(webhook
      ? { [webhook.signature]: { type: 'string', maxLength: 2000, description: 'the signature of the body' } }
      : {}),
  }
  if (Object.keys(properties).length === 0) return {}
  return { headers: { type: 'object', ...(webhook ? { required: [webhook.signature] } : {}), properties } }
}

function withoutJson({ redirects, fileType, stream }: AnyEndpoint): string {
  if (stream) return 'Server-sent events'
  if (redirects) return 'The browser goes on to `Location`'
  return fileType ? 'A file' : 'Done, without a body'
}

function bodyless({ fileType, stream }: AnyEndpoint) {
  if (stream) return { type: 'string', maxLength: 1_000_000_000 }
  if (fileType === 'application/json') return { type: 'object' }
  return fileType ? { type: 'string', format: 'binary', maxLength: 1_000_000_000 } : { type: 'null' }
}

const textHeader = (description: string, maxLength: number) => ({ description, type: 'string', maxLength })

const etagHeader = { ETag: textHeader('which version this is, for If-Match', 100) }

const ifMatchHeader = {
  'if-match': {
    type: 'string',
    maxLength: 1000,
    description: 'the ETag of the version that the change is meant for',
  },
}

const keyHeader = {
  'idempotency-key': { type: 'string', maxLength: 200, description: 'the same key gives the same answer again' },
}

const tagHeader = { ETag: textHeader('changes with the content', 40) }

const locationHeader = { Location: textHeader('where the browser goes on', 4000) }

/** Refusals of any endpoint: unreadable address or body, too many requests of an address, bugs, database unreachable. */
const anywhere: [number, string][] = [
  [400, 'bad_request'],
  [429, 'too_many_requests'],
  [500, 'internal_error'],
  [503, 'unavailable'],
]

/** Refusals of endpoints with a body: too large, or an unknown media type. */
const whereBodiesAreRead: [number, string][] = [
  [413, 'too_large'],
  [415, 'unsupported_media_type'],
]

const refused = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', maxLength: 500, description: 'plain text for people, in their language' },
    code: { type: 'string', pattern: '^[a-z_]+$', maxLength: 60, description: 'stable id' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 500 },
      maxProperties: 100,
      description: 'name of a field -> what is wrong with it',
    },
    request_id: { type: 'string', format: 'uuid', maxLength: 36, description: 'with status 500' },
  },
} as const

const alwaysHeaders = {
  'Access-Control-Allow-Origin': textHeader('never sent: no other origin may read the answers', 200),
  // draft-ietf-httpapi-ratelimit-headers
  RateLimit: textHeader('what is left for this address, and for how many seconds, e.g. "address";r=19990;t=1', 100),
  'RateLimit-Policy': textHeader(
    'requests an address may make in a window of seconds, e.g. "address";q=20000;w=1',
    100,
  ),
}

const challengeHeader = {
  'WWW-Authenticate': textHeader('Bearer; with error="invalid_token" where a token was sent and counts as none', 40),
}

const waitHeader = {
  'Retry-After': {
    description: 'seconds until another try makes sense',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 86_400,
  },
}

const pageHeaders = {
  'X-Total-Count': {
    description: 'rows of the whole list, exact up to 1,000, in a search up to 200',
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: 1000,
  },
  'X-Total-Capped': {
    description: 'true: there are more than X-Total-Count says',
    type: 'string',
    enum: ['true'],
  },
  'X-Search-Guessed': {
    description: 'true: nothing has the words as they were typed; these have what they may have been meant to be',
    type: 'string',
    enum: ['true'],
  },
  Link: textHeader('the next page, rel="next"; where a list has it, also the one before, rel="prev"', 4000),
}
