import { fstatSync, write } from 'node:fs'

/** About 4,000 lines. */
const queueBytes = 1024 * 1024
/** Pause after a failed write. */
const retryMs = 1_000

export interface LineLog {
  /** @param line with its line break. Never throws and never blocks. */
  write(line: string): void
}

/** Writes some or all of the bytes. Calls `done` once, later or at once, with how many were written. */
type Send = (bytes: Buffer, done: (error: Error | null | undefined, written: number) => void) => void

/**
 * Writes lines to a file or pipe that may be full, closed or not read, without blocking the process. Up to `mostBytes` of lines (default
 * 1 MB) wait until writing works again. Further lines are dropped, and their number is logged later. A waiting queue does not keep the
 * process alive.
 */
export function lineLog(send: Send, mostBytes = queueBytes): LineLog {
  let queue: string[] = []
  let writing = Buffer.alloc(0)
  let queuedBytes = 0
  let lost = 0
  let isBusy = false

  function write(line: string) {
    const bytes = Buffer.byteLength(line)
    if (writing.length + queuedBytes + bytes > mostBytes) return void lost++
    queue.push(line)
    queuedBytes += bytes
    if (!isBusy) next()
  }

  function next() {
    if (writing.length === 0) {
      if (queue.length === 0) return
      writing = Buffer.from(queue.join(''))
      queue = []
      queuedBytes = 0
    }
    isBusy = true
    send(writing, (error, written) => {
      writing = writing.subarray(written)
      if (error) return void setTimeout(again, retryMs).unref()
      if (lost > 0 && writing.length === 0) sayLoss()
      again()
    })
  }

  function again() {
    isBusy = false
    next()
  }

  function sayLoss() {
    const line = `${JSON.stringify({ level: 50, time: Date.now(), lost, msg: `${lost} log lines were lost: the log could not be written.` })}\n`
    queue.push(line)
    queuedBytes += Buffer.byteLength(line)
    lost = 0
  }

  return { write }
}

let standard: LineLog | undefined

/** The one way to stdout while the server runs. */
export function standardOutput(): LineLog {
  return (standard ??= lineLog(isFile(1) ? toFile(1) : toStream(process.stdout)))
}

/** True for files and devices such as /dev/null, which Node's stream would write synchronously. */
function isFile(fd: number): boolean {
  const info = fstatSync(fd)
  return !process.stdout.isTTY && !info.isFIFO() && !info.isSocket()
}

export function toFile(fd: number): Send {
  return (bytes, done) => write(fd, bytes, 0, bytes.length, null, done)
}

/** Node writes pipes and sockets without blocking, whether they are read or not. */
function toStream(stream: NodeJS.WriteStream): Send {
  // each write reports its error by itself; without a listener the first error would end the process
  stream.on('error', () => {})
  return (bytes, done) => stream.write(bytes, (error) => done(error, error ? 0 : bytes.length))
}
