import { Worker } from 'node:worker_threads'
import { tooMuchMemory, UnreadableFile } from './unreadable-file.ts'

/** A large honest file takes a second. */
export const readingMaxS = 5

/** What the thread is given. */
export interface ReadingTask {
  /** Address of a module whose export `read` is a `Reader`. */
  module: string
  bytes: Uint8Array
  options: unknown
}

/** Runs in the thread, so it may block. Answers plain data; throws `UnreadableFile`. */
export type Reader<Options, Read> = (bytes: Uint8Array, options: Options) => Read

/** What the thread answers. */
export type ReadingAnswer =
  | { read: unknown }
  | { unreadable: Pick<UnreadableFile, 'message' | 'text'> }
  /** What a library threw. */
  | { fault: { name: string; stack: string } }

/**
 * Reads a file from elsewhere in a thread of its own, by the export `read` of the module: a file made to be slow, or to fill the memory,
 * stops nobody. Throws `UnreadableFile` for what the reader refuses, and for a file that takes more than `maxS` or too much
 * memory, or breaks the reader; in the last case its `cause` is the fault, for the log.
 */
export async function readInThread<Options, Read>(
  module: URL,
  { bytes, options, maxS = readingMaxS }: { bytes: Uint8Array; options: Options; maxS?: number },
): Promise<Read> {
  const answer = await askThread({ module: module.href, bytes, options }, maxS)
  if ('read' in answer) return answer.read as Read
  if ('unreadable' in answer) throw new UnreadableFile(answer.unreadable.message, answer.unreadable.text)
  throw new UnreadableFile(
    'The file is of a form that cannot be read. Export it again, or in another format.',
    { key: 'fileBroken' },
    answer.fault,
  )
}

async function askThread(task: ReadingTask, maxS: number): Promise<ReadingAnswer> {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb(task.bytes.length) },
  })
  const { promise, resolve, reject } = Promise.withResolvers<ReadingAnswer>()
  let patience: NodeJS.Timeout | undefined
  // starting the thread does not count
  worker.once('online', () => {
    patience = setTimeout(() => reject(tooSlow(maxS)), maxS * 1000)
  })
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : error),
  )
  worker.once('exit', (code) => reject(new Error(`The reading thread ended by itself (${code}).`)))
  try {
    return await promise
  } finally {
    clearTimeout(patience)
    await worker.terminate()
  }
}

/**
 * Honest files take 7 MB a megabyte. What `JSON.parse` may take (`readJson`) must fit in: it cannot be interrupted, and V8 ends the
 * whole process where it finds no memory.
 */
function memoryMb(bytes: number): number {
  return 64 + Math.ceil((32 * bytes) / 2 ** 20)
}

const tooSlow = (maxS: number) =>
  new UnreadableFile(`Reading the file takes more than ${maxS} seconds. Split it, or check that it is the right one.`, {
    key: 'fileTooSlow',
    values: { max: maxS },
  })
