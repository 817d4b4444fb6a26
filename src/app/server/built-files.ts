import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { BoundedCache } from '../../kit/server/bounded-cache.ts'
import { readIfThere } from '../../kit/server/data-folder.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** Compressed files that the build writes beside each file, the smallest first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

/**
 * Serves the files below /assets from memory: a first visit asks for about thirty, and reading them from disk costs more than
 * the page itself (decision 59). Their names change with their content, so browsers cache them for a year.
 * @throws Error when the build holds a file whose type is not known here
 */
export async function serveBuiltFiles(app: FastifyInstance, folder: string): Promise<void> {
  const names = new Set(await readdir(folder))
  const plain = [...names].filter((name) => !encodings.some(({ extension }) => name.endsWith(extension)))
  const strange = plain.find((name) => !types[extname(name)])
  if (strange) throw new Error(`${join(folder, strange)} is of a kind that is not served.`)
  const files = new Set(plain)
  const cache = new BoundedCache<string, Buffer>('built files', { most: 4 * 2 ** 20, sizeOf: ({ length }) => length })

  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const name = request.params['*']
    if (!files.has(name)) return reply.callNotFound()
    const encoding = encodings.find(
      (each) => names.has(name + each.extension) && takes(request.headers['accept-encoding'], each.name),
    )
    const path = name + (encoding?.extension ?? '')
    let file: Buffer | null | undefined = cache.get(path)
    if (!file) {
      file = await readIfThere(join(folder, path))
      // another build has replaced this one
      if (!file) return reply.callNotFound()
      cache.set(path, file)
    }
    if (encoding) reply.header('content-encoding', encoding.name)
    return reply
      .type(types[extname(name)]!)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .send(file)
  })
}

/** Whether an `Accept-Encoding` header names the encoding with a weight above 0 (RFC 9110, 12.5.3). */
function takes(accepted: string | undefined, encoding: string): boolean {
  return (accepted ?? '').split(',').some((each) => {
    const [name, weight] = each.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight ?? '')
  })
}
