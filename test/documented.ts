import { Ajv, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'

/**
 * Checks that every answer of the API in any story matches the OpenAPI document, by status, type and shape.
 */
export interface SeenAnswer {
  method: string
  /** With or without a query. */
  path: string
  status: number
  contentType: string | null
  text: string
}

interface Documented {
  components: object
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>>
}

const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void
const ajv = new Ajv({ strict: false, allErrors: false })
addFormats(ajv)

/** Errors that Fastify or Node answers before a route is known. */
const anywhere = [400, 404, 405, 408, 413, 414, 415, 431]
/** Errors that Node answers for known operations. */
const beforeOperations = [408, 414, 431]

/** All apps with the usual rooms have the same document, so each worker fetches and compiles it once. */
const house = 'the house'
const documents = new Map<string, Promise<Documented>>()
const compiled = new WeakMap<object, ValidateFunction>()
const withOwnDocument = new Set<string>()

/** Call it for an app with other rooms. */
export function hasOwnDocument(url: string): void {
  withOwnDocument.add(url)
}

/** How an answer differs from the document, as a sentence; null: it matches, or is not of the API. */
export async function undocumented(url: string, seen: SeenAnswer): Promise<string | null> {
  const path = seen.path.split('?')[0]!
  if (!path.startsWith('/api/') || path === '/api/openapi.json' || seen.method === 'HEAD' || seen.method === 'OPTIONS')
    return null
  const key = withOwnDocument.has(url) ? url : house
  if (!documents.has(key)) {
    const fetched = documentOf(url)
    documents.set(key, fetched)
    fetched.catch(() => documents.delete(key))
  }
  const document = await documents.get(key)!
  const operation = operationFor(document, seen.method.toLowerCase(), path)
  const name = `${seen.method} ${path} ${seen.status}`
  if (!operation) return anywhere.includes(seen.status) ? null : `${name}: no such operation`
  const documentedAnswer = operation.responses[String(seen.status)]
  if (!documentedAnswer) return beforeOperations.includes(seen.status) ? null : `${name}: status not documented`
  const content = documentedAnswer.content?.['application/json']
  if (!content) return seen.text === '' || documentedAnswer.content ? null : `${name}: a body that is not documented`
  if (!/^application\/json\b/.test(seen.contentType ?? '')) return `${name}: ${seen.contentType} instead of JSON`
  let validate = compiled.get(content.schema)
  if (!validate)
    compiled.set(content.schema, (validate = ajv.compile({ ...content.schema, components: document.components })))
  const answer = JSON.parse(seen.text) as { code?: string; fields?: object } | null
  if (seen.status === 400 && answer?.code === 'invalid_input' && !answer.fields) return `${name}: names no field`
  if (validate(answer)) return null
  return `${name}: ${ajv.errorsText(validate.errors)}: ${seen.text.slice(0, 300)}`
}

async function documentOf(url: string): Promise<Documented> {
  const answer = await fetch(`${url}/api/openapi.json`)
  if (answer.status === 429) {
    // in a story about limits: wait until the server allows the request
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('retry-after')) * 1000))
    return documentOf(url)
  }
  if (!answer.ok) throw new Error(`No OpenAPI document: ${answer.status}`)
  return (await answer.json()) as Documented
}

function operationFor(document: Documented, method: string, path: string) {
  const parts = path.split('/')
  const fits = Object.keys(document.paths).filter((template) => {
    const names = template.split('/')
    return (
      names.length === parts.length &&
      names.every((name, at) => (name.startsWith('{') ? parts[at] !== '' : name === parts[at])) &&
      document.paths[template]![method]
    )
  })
  // a literal address wins over one with a placeholder
  const [best] = fits.toSorted((a, b) => a.split('{').length - b.split('{').length)
  return best ? document.paths[best]![method] : undefined
}
