import { isUuid } from '../shared/input.ts'
import { appendLine, readIfThere } from './data-folder.ts'
import { openBucket, type S3Place } from './uploads.ts'

/** A log of ids with times. It lies outside the database, so restoring a backup does not remove entries. */
export interface IdLog {
  /** Resolves when the id is on disk or in the bucket. The same id may be noted many times. */
  note(id: string, at: Temporal.Instant): Promise<void>
  ids(): Promise<Set<string>>
  /** File or bucket path, for people. */
  place: string
}

/**
 * A file to which instances append. With a bucket, one object per id: buckets cannot append, and instances would overwrite each other's
 * entries.
 */
export function createIdLog(where: { file: string; s3: S3Place | null; prefix: string }): IdLog {
  return where.s3 ? inBucket(where.s3, where.prefix) : inFile(where.file)
}

const lineOf = (id: string, at: Temporal.Instant) => `${at.toString({ smallestUnit: 'second' })} ${id}`

function inFile(file: string): IdLog {
  return {
    place: file,
    note: (id, at) => appendLine(file, lineOf(id, at)),
    async ids() {
      const text = await readIfThere(file)
      return text ? idsIn(text.toString()).ids : new Set()
    },
  }
}

/** `unreadable`: number of lines without an id, such as half a line after a crash. What they were for had not happened yet. */
export function idsIn(text: string): { ids: Set<string>; unreadable: number } {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const found = lines.map((line) => line.trim().split(/\s+/)[1] ?? '').filter(isUuid)
  return { ids: new Set(found), unreadable: lines.length - found.length }
}

function inBucket(s3: S3Place, prefix: string): IdLog {
  const opened = openBucket(s3)
  return {
    place: `${s3.bucket}/${prefix}`,
    async note(id, at) {
      const line = Buffer.from(`${lineOf(id, at)}\n`)
      const { ok, status } = await (await opened).putObject(`${prefix}${id}`, line, 'text/plain')
      if (!ok) throw new Error(`The bucket answered ${status}`)
    },
    async ids() {
      const objects = await (await opened).listObjects('/', prefix)
      if (objects === null) throw new Error(`The bucket ${s3.bucket} does not exist`)
      return new Set(objects.map(({ Key }) => Key.slice(Key.lastIndexOf('/') + 1)).filter(isUuid))
    },
  }
}
