import { cachedPages } from './cached-pages.ts'

const cacheOf = (build: string) => `documents-${build.replace(/\W+/g, '-')}`
/** Beside the documents: the choice of language and theme that they are in. */
const choiceKey = '/choice'

/**
 * Fetches the kept pages, unless they are there in this choice of language and theme already. A page of another build
 * is not kept: during an update another server may still give the one before, whose files this worker does not have.
 *
 * @param choice as the page says it; null: whatever the server gives this browser
 * @throws where a page cannot be fetched or is of another build, so that an install begins anew later
 */
export async function keepDocuments(build: string, choice: string | null): Promise<void> {
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
  // an urgent notice of today is none next week: pages ask for what was said last (src/urgent/web/follow-urgent.ts)
  const lasting = text.replace(/<section id="urgent"[\s\S]*?<\/section>/, '')
  const headers = new Headers(response.headers)
  // of the answer as it travelled, which this is no more
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(lasting, { status: response.status, headers })
}

/** A kept page, whatever its address says beyond its path. */
export async function documentOf(build: string, path: string): Promise<Response | undefined> {
  if (!cachedPages.includes(path)) return undefined
  return (await caches.open(cacheOf(build))).match(path)
}

export async function forgetOldDocuments(build: string): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith('documents-') && name !== cacheOf(build)) await caches.delete(name)
}
