import { Worker } from 'node:worker_threads'
import { tooMuchMemory, UnreadableFile } from './unreadable-file.ts'

/** Longest time to read a file, in seconds. A large real file takes one. */
export const readingMaxS = 5

/** Input of the thread. */
export interface ReadingTask {
  /** Address of a module whose export `read` is a `Reader`. */
  module: string
  bytes: Uint8Array
  options: unknown
}

/** Message of the thread: it has loaded its module and begins to read. */
export const threadReady = 'ready'

/** Runs in the thread, so it may block. Returns plain data. @throws UnreadableFile */
export type Reader<Options, Read> = (bytes: Uint8Array, options: Options) => Read | Promise<Read>

/** Result of the thread. */
export type ReadingAnswer =
  | { read: unknown }
  | { unreadable: Pick<UnreadableFile, 'message' | 'text'> }
  /** The reader crashed. */
  | { fault: { name: string; stack: string } }

/**
 * Reads an untrusted file in its own thread, with the export `read` of the module. A file made to be slow or to fill the memory then
 * cannot stop the server.
 * @throws UnreadableFile if the reader refuses the file, needs more than `maxS` or too much memory, or crashes. After a crash, `cause`
 * has the error for the log
 */
export async function readInThread<Options, Read>(
  module: URL,
  { bytes, options, maxS = readingMaxS }: { bytes: Uint8Array; options: Options; maxS?: number },
): Promise<Read> {
  const answer = await askThread({ module: module.href, bytes, options }, maxS)
  if ('read' in answer) return answer.read as Read
  if ('unreadable' in answer) throw new UnreadableFile(answer.unreadable.message, answer.unreadable.text)
  throw new UnreadableFile(
    'The file cannot be read. Export it again, or in another format.',
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
  let timer: NodeJS.Timeout | undefined
  worker.on('message', (answer: ReadingAnswer | typeof threadReady) => {
    if (answer !== threadReady) return resolve(answer)
    // start the clock only now: on a busy machine the thread alone takes seconds to load its libraries
    timer = setTimeout(() => reject(tooSlow(maxS)), maxS * 1000)
  })
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : error),
  )
  worker.once('exit', (code) => reject(new Error(`The reading thread ended by itself (${code}).`)))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

/**
 * Memory limit of the thread. Real files need 7 MB per megabyte. The limit must exceed what `readJson` lets `JSON.parse` use: V8 cannot
 * interrupt `JSON.parse`, and if memory runs out there, the whole process ends.
 */
function memoryMb(bytes: number): number {
  return 64 + Math.ceil((32 * bytes) / 2 ** 20)
}

const tooSlow = (maxS: number) =>
  new UnreadableFile(`Reading the file takes more than ${maxS} seconds. Split it, or check that it is the right one.`, {
    key: 'fileTooSlow',
    values: { max: maxS },
  })
