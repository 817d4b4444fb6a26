import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metadata } from 'sharp'
import { pictureMostPixels } from '../shared/pictures.ts'
import { Refusal, unavailable } from '../shared/refusal.ts'
import { waitMs } from './answer-time.ts'
import { writeWhole } from './data-folder.ts'
import { fairTurns } from './fair-turns.ts'
import { newId } from './ids.ts'
import { withPlainExif } from './plain-exif.ts'

declare module './room.ts' {
  interface RoomQuestions {
    /** Of a picture that the room can take away and give back: whether everybody may see it now; null: it is none of those. */
    seenUploads: (name: string) => Promise<boolean | null>
  }
}

/** Files that people uploaded, each under a name that is never used again. */
export interface FileStore {
  put(name: string, bytes: Uint8Array): Promise<void>
  /** null: there is no such file. */
  get(name: string): Promise<Uint8Array | null>
  /** Does nothing where there is none. */
  delete(name: string): Promise<void>
}

/** Own path below which uploads are served. */
export const uploadsPath = '/uploads/'
const nameShape = /^[0-9a-f-]{36}\.webp$/

export interface S3Place {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** The folder or bucket is full, read-only or away: a passing state, answered with 503. */
export class FilesUnavailable extends Error {
  constructor(cause: unknown) {
    super('The store of uploads does not work', { cause })
  }
}

/** All of its failures are `FilesUnavailable`. */
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
    async get(name) {
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    delete: (name) => rm(join(folder, name), { force: true }),
  }
}

/** Together with what else a request does below the 5 s within which everybody gets an answer. */
const s3TimeoutMs = 3_500

/** Loaded only where there is a bucket, so that other installations need no memory for it. */
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

/** Decoding a picture may have taken a good part of the time of its answer. What is given up here ends by itself. */
async function inAnswerTime<T>(request: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const patience = setTimeout(
    () => late.reject(new Error('The file store gave no answer in time')),
    waitMs(s3TimeoutMs),
  )
  return Promise.race([request, late.promise]).finally(() => clearTimeout(patience))
}

/** The bytes are no picture that is taken here. */
export class NoPicture extends Error {}
/** A picture, but one of more than `pictureMostPixels`. */
export class TooManyPixels extends Error {}

const decodeTimeoutS = 5
const formats = new Set(['png', 'jpeg', 'webp'])

/** Loaded with the first picture: the libraries behind it are large. */
async function pictures() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

const inTurn = fairTurns({
  name: 'pictures',
  // a picture takes up to 100 MB while it is decoded, and two fill two cores
  slots: 2,
  perAddress: 30,
  // each holds the bytes that came
  most: 40,
  // together with decoding and storing below the 30 s after which a silent connection is closed
  patienceMs: 15_000,
})

/**
 * The picture made anew from its pixels: WebP, upright, at most `maxSide` on its longer side (px), without metadata or
 * anything else that came along. What it is is judged by its bytes alone.
 * @throws NoPicture for anything but a whole PNG, JPEG or WebP; TooManyPixels, before it is decoded; `unavailable` when too
 * many wait already, or its turn does not come in time, or decoding takes too long
 */
export async function remakePicture(bytes: Uint8Array, { maxSide }: { maxSide: number }): Promise<Uint8Array> {
  const sharp = await pictures()
  bytes = withPlainExif(bytes)
  const options = { failOn: 'error', pages: 1, sequentialRead: true } as const
  const pixels = await pixelsOf(() => sharp(bytes, { ...options, limitInputPixels: false }).metadata(), bytes)
  if (pixels > pictureMostPixels) throw new TooManyPixels(`${pixels} pixels`)
  return inTurn(() =>
    sharp(bytes, { ...options, limitInputPixels: pictureMostPixels })
      .timeout({ seconds: decodeTimeoutS })
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      // effort 4, as usual, makes a photo 3 % smaller and takes almost twice the time: 330 ms instead of 200
      .webp({ quality: 82, effort: 2 })
      .toBuffer()
      .catch((error: Error) => {
        // as sharp says that its time was over: on a busy machine it may be a good picture all the same
        if (error.message.startsWith('timeout')) throw new Refusal(unavailable, { retryAfterS: 5 })
        throw new NoPicture(error.message)
      }),
  )
}

/** What its head says, whatever size that claims: nothing is decoded for it. Throws NoPicture. */
async function pixelsOf(readHead: () => Promise<Metadata>, bytes: Uint8Array): Promise<number> {
  // heads are read without a queue, so only of formats whose heads are short
  if (!beginsAsPicture(bytes)) throw new NoPicture('another format')
  const { format, width, height } = await readHead().catch((error: Error) => {
    throw new NoPicture(error.message)
  })
  if (!formats.has(format ?? '')) throw new NoPicture('another format')
  return width * height
}

/** The decoder also reads SVG, GIF, PDF … where it was built with them. */
function beginsAsPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  const isWebp = head.startsWith('RIFF') && head.endsWith('WEBP')
  return isWebp || head.startsWith('\x89PNG\r\n\x1a\n') || head.startsWith('\xff\xd8\xff')
}

/** A name that nobody can guess from another. */
export function newFileName(): string {
  return `${newId()}.webp`
}

/** Name of an upload from the path under which it is served; null for any other address. */
export function uploadedName(url: string | null): string | null {
  const name = url?.startsWith(uploadsPath) ? url.slice(uploadsPath.length) : ''
  return nameShape.test(name) ? name : null
}

/** Which uploads everybody may see. */
export interface UploadRules {
  /** Whether everybody may see it now; null: always. */
  isSeen(name: string): Promise<boolean | null>
  /** Whether `key` of the address lets who has it see it all the same. */
  isKeyGood(name: string, key: unknown): boolean
  /** An SVG for the place of a picture that is not there. */
  insteadOf(name: string): string
}

/** What can be taken away again is asked for anew after this, s. */
const briefS = 300

/** Serves uploads: never anything but a picture, whatever its bytes pretend to be. Browsers keep for good what nobody takes away. */
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
      return reply.type('image/webp').header('cache-control', keepingOf(isSeen)).send(Buffer.from(bytes))
    if (!isForImage(request)) return reply.callNotFound()
    // browsers draw a picture whatever its status: without one a page shows a torn one, and no script can help before it runs
    if (bytes === 'away') reply.header('retry-after', '2')
    return reply
      .status(bytes === 'away' ? 503 : 404)
      .type('image/svg+xml')
      .header('cache-control', 'no-store')
      .send(rules.insteadOf(name))
  })
}

/** Asked by an `<img>`: browsers name pictures first there. */
const isForImage = ({ headers }: FastifyRequest) => /^\s*image\//.test(headers.accept ?? '')

function keepingOf(isSeen: boolean | null): string {
  if (isSeen === null) return 'public, max-age=31536000, immutable'
  return isSeen ? `public, max-age=${briefS}` : 'private, no-store'
}
