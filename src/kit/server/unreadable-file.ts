/** The same sentence for screens, in the language of who reads it: its key and what it takes. */
interface SaidElsewhere {
  key: string
  values?: Record<string, string | number | SaidElsewhere>
}

/** The file as a whole cannot be taken; the message is a sentence for the person who brought it, in English for commands and logs. */
export class UnreadableFile extends Error {
  readonly text: SaidElsewhere | null

  constructor(message: string, text: SaidElsewhere | null = null) {
    super(message)
    this.text = text
  }
}
