/** The same sentence for screens, in the language of who reads it: its key and what it takes. */
export interface TranslatableText {
  key: string
  values?: Record<string, string | number | TranslatableText>
}

/** The file as a whole cannot be taken; the message is a sentence for the person who brought it, in English for commands and logs. */
export class UnreadableFile extends Error {
  readonly text: TranslatableText | null
  /** What broke while it was read, for the log. */
  override readonly cause: { name: string; stack: string } | undefined

  constructor(message: string, text: TranslatableText | null = null, cause?: { name: string; stack: string }) {
    super(message)
    this.text = text
    this.cause = cause
  }
}

export const tooMuchMemory = () =>
  new UnreadableFile('Reading the file takes too much memory. Split it, or check that it is the right one.', {
    key: 'fileTooMuchMemory',
  })

/** Of our own code or an engine: what it says is for developers. Libraries have errors of their own for what is wrong with a file. */
export const isProgramFault = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof SyntaxError ||
  error instanceof ReferenceError
