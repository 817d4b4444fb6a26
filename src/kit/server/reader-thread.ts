import { parentPort, workerData } from 'node:worker_threads'
import type { Reader, ReadingAnswer, ReadingTask, threadReady } from './read-in-thread.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** Code of the thread that read-in-thread.ts starts. */
const { module, bytes, options } = workerData as ReadingTask
const { read } = (await import(module)) as { read: Reader<unknown, unknown> }
parentPort!.postMessage('ready' satisfies typeof threadReady)
parentPort!.postMessage(await answer())

async function answer(): Promise<ReadingAnswer> {
  try {
    return { read: await read(bytes, options) }
  } catch (error) {
    if (error instanceof UnreadableFile) return { unreadable: { message: error.message, text: error.text } }
    const { name, stack } = error as Error
    return { fault: { name, stack: framesOf(stack) } }
  }
}

/** The stack without the message, which may contain data of the file. */
function framesOf(stack = ''): string {
  const lines = stack.split('\n').filter((line) => line.trimStart().startsWith('at '))
  return lines.join('\n')
}
