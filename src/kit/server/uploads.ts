import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metadata } from 'sharp'
import { pictureMostPixels } from '../shared/pictures.ts'
import { Refusal, unavailable } from '../shared/refusal.ts'
import { waitMs } from './answer-time.ts'
import { readIfThere, writeWhole } from './data-folder.ts'
import { fairTurns } from './fair-turns.ts'
import { newId } from './ids.ts'
import { withPlainExif } from './plain-exif.ts'

declare module './room.ts' {
  interface RoomQuestions {
    /** True or false: the room can hide this picture, and everybody may see it now or not; null: not a picture of the room. */
    seenUploads: (name: string) => Promise<boolean | null>
  }
}

/** The store of uploaded files. Their names are never reused. */
export interface FileStore {
  put(name: string, bytes: Uint8Array): Promise<void>
  /** null: the file does not exist. */
  get(name: string): Promise<Uint8Array | null>
  /** Does nothing for a missing file. */
  delete(name: string): Promise<void>
}

/** Path prefix of uploads. */
export const uploadsPath = '/uploads/'
const nameShape = /^[0-9a-f-]{36}\.webp$/

export interface S3Place {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** The folder or bucket is full, read-only or cannot be reached: a passing failure, answered with 503. */
export class FilesUnavailable extends Error {
  constructor(cause: unknown) {
    super('The store of uploads does not work', { cause })
  }
}

/** Its methods throw no errors but `FilesUnavailable`. */
export function createFileStore(where: { folder: string; s3: S3Place | null }): FileStore {
  const store = where.s3 ? bucketStore(where.s3) : folderStore(where.folder)
  const fail = (cause: unknown) => {
    throw new FilesUnavailable(cause)
  }
  return {
    put: (name, bytes) => store.put(name, bytes).catch(fail),
    get: (name) => store.get(name).catch(fail),
    delete: (name) => store.delete(name).catch(fail),
  }
}

function folderStore(folder: string): FileStore {
  return {
    put: (name, bytes) => writeWhole(join(folder, name), bytes),
    get: (name) => readIfThere(join(folder, name)),
    delete: (name) => rm(join(folder, name), { force: true }),
  }
}

/** Leaves time for the rest of the request within the 5 s of an answer. */
const s3TimeoutMs = 3_500

/** Loads the library only if a bucket is used, to save memory. */
export async function openBucket({ endpoint, bucket, ...place }: S3Place) {
  const { S3mini } = await import('s3mini')
  const address = `${endpoint.replace(/\/$/, '')}/${bucket}`
  return new S3mini({ endpoint: address, ...place, requestAbortTimeout: s3TimeoutMs })
}

function bucketStore(place: S3Place): FileStore {
  const opened = openBucket(place)
  const key = (name: string) => `uploads/${name}`
  return {
    async put(name, bytes) {
      const sent = opened.then((s3) => s3.putObject(key(name), Buffer.from(bytes), 'image/webp'))
      const { ok, status } = await inAnswerTime(sent)
      if (!ok) throw new Error(`The file store answered ${status}`)
    },
    async get(name) {
      const bytes = await inAnswerTime(opened.then((s3) => s3.getObjectArrayBuffer(key(name))))
      return bytes && new Uint8Array(bytes)
    },
    async delete(name) {
      await (await opened).deleteObject(key(name))
    },
  }
}

/** Waits at most for the rest of the answer's time, as decoding may have taken much of it. The request itself is not stopped. */
async function inAnswerTime<T>(request: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('The file store gave no answer in time')), waitMs(s3TimeoutMs))
  return Promise.race([request, late.promise]).finally(() => clearTimeout(timer))
}

/** The bytes are not a whole PNG, JPEG or WebP. */
export class NoPicture extends Error {}
/** A picture with more than `pictureMostPixels`. */
export class TooManyPixels extends Error {}

const decodeTimeoutS = 5
const formats = new Set(['png', 'jpeg', 'webp'])

/** Loads sharp with the first picture: the site starts faster, and if the library is missing only pictures fail. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

const inTurn = fairTurns({
  name: 'pictures',
  // decoding takes up to 100 MB and a whole core
  slots: 2,
  perAddress: 30,
  // waiting requests hold their bytes in memory
  most: 40,
  // with decoding and storing less than the 30 s after which a silent connection is closed
  patienceMs: 15_000,
})

/**
 * Encodes a picture anew from its pixels: WebP, upright, longer side at most `maxSide` px, without metadata. Its format is recognised by
 * its bytes.
 * @throws NoPicture for anything but a whole PNG, JPEG or WebP; TooManyPixels before decoding; unavailable when too many pictures wait,
 * its turn does not come in time, or decoding takes too long
 */
export async function remakePicture(bytes: Uint8Array, { maxSide }: { maxSide: number }): Promise<Uint8Array> {
  const sharp = await loadSharp()
  bytes = withPlainExif(bytes)
  const options = { failOn: 'error', pages: 1, sequentialRead: true } as const
  const pixels = await pixelsOf(() => sharp(bytes, { ...options, limitInputPixels: false }).metadata(), bytes)
  if (pixels > pictureMostPixels) throw new TooManyPixels(`${pixels} pixels`)
  return inTurn(() =>
    sharp(bytes, { ...options, limitInputPixels: pictureMostPixels })
      .timeout({ seconds: decodeTimeoutS })
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      // the default effort 4 makes a photo 3 % smaller, but takes 330 ms instead of 200
      .webp({ quality: 82, effort: 2 })
      .toBuffer()
      .catch((error: Error) => {
        // sharp's message at its time limit: on a busy machine the picture may still be a good one
        if (error.message.startsWith('timeout')) throw new Refusal(unavailable, { retryAfterS: 5 })
        throw new NoPicture(error.message)
      }),
  )
}

/** Number of pixels by the file header; nothing is decoded. @throws NoPicture */
async function pixelsOf(readHead: () => Promise<Metadata>, bytes: Uint8Array): Promise<number> {
  // headers are read outside the queue, so only those of formats with short headers
  if (!beginsAsPicture(bytes)) throw new NoPicture('another format')
  const { format, width, height } = await readHead().catch((error: Error) => {
    throw new NoPicture(error.message)
  })
  if (!formats.has(format ?? '')) throw new NoPicture('another format')
  return width * height
}

/** Checks the first bytes, because the decoder may also read SVG, GIF, PDF … */
function beginsAsPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const isWebp = head.startsWith('RIFF') && head.endsWith('WEBP')
  return isWebp || head.startsWith('\x89PNG\r\n\x1a\n') || head.startsWith('\xff\xd8\xff')
}

/** A name that cannot be guessed. */
export function newFileName(): string {
  return `${newId()}.webp`
}

/** Name of the upload at a path; null for other addresses. */
export function uploadedName(url: string | null): string | null {
  const name = url?.startsWith(uploadsPath) ? url.slice(uploadsPath.length) : ''
  return nameShape.test(name) ? name : null
}

/** Access to uploads. */
export interface UploadRules {
  /** True: everybody may see it now; false: it is hidden; null: it is public and cannot be hidden. */
  isSeen(name: string): Promise<boolean | null>
  /** True where the `key` of an address gives access to a hidden picture. */
  isKeyGood(name: string, key: unknown): boolean
  /** An SVG to show in place of a missing picture. */
  insteadOf(name: string): string
}

/** Seconds that browsers cache a picture that can be hidden. */
const briefS = 300

/** Serves uploads, always as pictures. Browsers cache pictures that cannot be hidden for a year. */
export function serveUploads(app: FastifyInstance, files: FileStore, rules: UploadRules) {
  app.get(`${uploadsPath}:name`, { schema: { hide: true } }, async (request, reply) => {
    const { name } = request.params as { name: string }
    const { key } = request.query as { key?: unknown }
    const isSeen = nameShape.test(name) ? await rules.isSeen(name) : false
    const isToBeSeen = isSeen !== false || (nameShape.test(name) && rules.isKeyGood(name, key))
    reply.header('content-security-policy', "default-src 'none'; sandbox").header('x-content-type-options', 'nosniff')
    const bytes = isToBeSeen
      ? await files.get(name).catch((error: unknown) => {
          if (!isForImage(request)) throw error
          request.log.error({ err: error }, 'a picture could not be read')
          return 'away'
        })
      : null
    if (bytes instanceof Uint8Array)
      return reply.type('image/webp').header('cache-control', cacheControlOf(isSeen)).send(Buffer.from(bytes))
    if (!isForImage(request)) return reply.callNotFound()
    // browsers draw an SVG whatever the status; without it pages show a broken picture until scripts run
    if (bytes === 'away') reply.header('retry-after', '2')
    return reply
      .status(bytes === 'away' ? 503 : 404)
      .type('image/svg+xml')
      .header('cache-control', 'no-store')
      .send(rules.insteadOf(name))
  })
}

/** True for requests of an `<img>`: browsers name pictures first in their `Accept`. */
const isForImage = ({ headers }: FastifyRequest) => /^\s*image\//.test(headers.accept ?? '')

function cacheControlOf(isSeen: boolean | null): string {
  if (isSeen === null) return 'public, max-age=31536000, immutable'
  return isSeen ? `public, max-age=${briefS}` : 'private, no-store'
}
