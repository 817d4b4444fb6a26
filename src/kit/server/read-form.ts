import type { FastifyRequest } from 'fastify'
import type { ReceivedFile } from '../shared/endpoint.ts'
import { Refusal, tooLarge } from '../shared/refusal.ts'

type Allowed = Readonly<Record<string, { readonly maxBytes: number }>>

/** Most bytes of all text fields together. */
const textBytes = 64 * 1024
const mostParts = 40

/** Most bytes of a whole form. */
export function formLimitBytes(files: Allowed): number {
  return Object.values(files).reduce((sum, { maxBytes }) => sum + maxBytes, textBytes + mostParts * 1024)
}

class UnreadableForm extends Error {
  readonly statusCode = 400
}

/**
 * Reads multipart/form-data. Files that the contract does not name are ignored, an empty file part counts as absent.
 * @throws an error with statusCode 400 for text that is not UTF-8, a repeated field or a broken form; too_large (413)
 */
export async function readForm(
  request: FastifyRequest,
  allowed: Allowed,
): Promise<{ body: Record<string, string>; files: Partial<Record<string, ReceivedFile>> }> {
  // before the body is read
  if (Number(request.headers['content-length'] ?? 0) > formLimitBytes(allowed)) throw new Refusal(tooLarge)
  const body = new Map<string, string>()
  const files = new Map<string, ReceivedFile>()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = 0
  try {
    // every part as bytes: the parser would replace broken UTF-8 instead of refusing it
    const parts = request.parts({
      isPartAFile: () => true,
      limits: {
        parts: mostParts,
        files: mostParts,
        fileSize: largest(allowed) + 1,
        fieldNameSize: 200,
        headerPairs: 20,
      },
    } as Parameters<FastifyRequest['parts']>[0])
    for await (const part of parts) {
      if (part.type !== 'file') continue
      const bytes = await part.toBuffer()
      const name = part.fieldname
      if (part.filename === undefined) {
        text += bytes.length
        if (text > textBytes) throw new Refusal(tooLarge)
        if (body.has(name)) throw new UnreadableForm('a field comes twice')
        body.set(name, decoder.decode(bytes))
      } else if (Object.hasOwn(allowed, name) && bytes.length > 0) {
        if (bytes.length > allowed[name]!.maxBytes) throw new Refusal(tooLarge)
        if (files.has(name)) throw new UnreadableForm('a file comes twice')
        files.set(name, { bytes, name: part.filename, type: part.mimetype })
      }
    }
  } catch (error) {
    if (error instanceof Refusal || error instanceof UnreadableForm) throw error
    if ((error as { statusCode?: number }).statusCode === 413) throw new Refusal(tooLarge)
    // any other error of the parser means that the sender's form is broken
    throw new UnreadableForm((error as Error).message)
  }
  return { body: Object.fromEntries(body), files: Object.fromEntries(files) }
}

function largest(allowed: Allowed): number {
  return Math.max(textBytes, ...Object.values(allowed).map(({ maxBytes }) => maxBytes))
}
