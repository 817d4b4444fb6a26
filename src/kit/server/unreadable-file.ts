import type { ImportText } from './import-text.ts'

/** A file from outside cannot be read. `message` is a sentence in English, for commands and logs; `text` is the same for screens. */
export class UnreadableFile extends Error {
  readonly text: ImportText | null
  /** The error that the reader crashed with, for the log. */
  override readonly cause: { name: string; stack: string } | undefined

  constructor(message: string, text: ImportText | null = null, cause?: { name: string; stack: string }) {
    super(message)
    this.text = text
    this.cause = cause
  }
}

export const tooMuchMemory = () =>
  new UnreadableFile('Reading the file takes too much memory. Split it, or check that it is the right one.', {
    key: 'fileTooMuchMemory',
  })

/** True for errors of code, whose message is for developers. Libraries use their own classes for faults of a file. */
export const isProgramFault = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof SyntaxError ||
  error instanceof ReferenceError
