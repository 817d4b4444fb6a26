import { registerHooks } from 'node:module'

/**
 * Loaded before a server of the bench (`--import`): the cache that `WITHOUT_CACHE` names, as its row in docs/performance.md
 * does, finds nothing. The product has no such switch.
 */
const off = `process.env['WITHOUT_CACHE']`
const edits: Record<string, [string, string][]> = {
  'kit/server/kept.ts': [
    [
      'get(key: Key): Value | undefined {',
      `get(key: Key): Value | undefined { if (this.name === ${off}) return undefined;`,
    ],
  ],
  'kit/server/remembered.ts': [
    [
      '{ keptMs, most }: { name: string; keptMs: number; most: number },\n): (key',
      '{ keptMs, most, name }: { name: string; keptMs: number; most: number },\n): (key',
    ],
    ['if (found) return', `if (found && name !== ${off}) return`],
    ['constructor({ keptMs, most }:', 'constructor({ keptMs, most, name }:'],
    ['this.#keptMs = keptMs', `this.#keptMs = name === ${off} ? 0 : keptMs`],
  ],
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const name = Object.keys(edits).find((path) => url.endsWith(`/src/${path}`))
    if (!name || !loaded.source) return loaded
    let source = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString()
    for (const [from, to] of edits[name]!) {
      if (!source.includes(from))
        throw new Error(`${name} no longer says "${from}"; bench/without-cache.ts has to follow.`)
      source = source.replace(from, to)
    }
    return { ...loaded, source }
  },
})
