import { cachedPages } from './cached-pages.ts'

const cacheOf = (build: string) => `documents-${build.replace(/\W+/g, '-')}`
/** Stored beside the documents: the language and theme in which they were fetched. */
const choiceKey = '/choice'

/**
 * Fetches and caches `cachedPages`, unless they are cached in this language and theme already. A page of another build is
 * refused: during an update another server may still answer with the old build, whose files this worker does not have.
 *
 * @param choice language and theme, as the page sends them; null: whatever the server gives this browser
 * @throws Error when a page cannot be fetched or is of another build; the browser then installs the worker again later
 */
export async function cacheDocuments(build: string, choice: string | null): Promise<void> {
  const cache = await caches.open(cacheOf(build))
  if (choice !== null && (await (await cache.match(choiceKey))?.text()) === choice) return
  const documents = await Promise.all(cachedPages.map((path) => freshDocument(path, build)))
  for (const [n, document] of documents.entries()) await cache.put(cachedPages[n]!, document)
  if (choice !== null) await cache.put(choiceKey, new Response(choice))
}

async function freshDocument(path: string, build: string): Promise<Response> {
  const response = await fetch(path, { cache: 'no-store', credentials: 'same-origin' })
  if (response.status !== 200 || response.redirected) throw new Error(`${path} answers ${response.status}.`)
  const text = await response.text()
  if (!text.includes(`data-build="${build}"`)) throw new Error(`${path} is of another build.`)
  // without today's urgent notice: a page asks for the current one (src/urgent/web/follow-urgent.ts)
  const lasting = text.replace(/<section id="urgent"[\s\S]*?<\/section>/, '')
  const headers = new Headers(response.headers)
  // they describe the compressed answer, and the body is unpacked now
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(lasting, { status: response.status, headers })
}

/** The cached page at a path, whatever its query says; undefined: not cached. */
export async function documentOf(build: string, path: string): Promise<Response | undefined> {
  if (!cachedPages.includes(path)) return undefined
  return (await caches.open(cacheOf(build))).match(path)
}

export async function deleteOldDocuments(build: string): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith('documents-') && name !== cacheOf(build)) await caches.delete(name)
}
