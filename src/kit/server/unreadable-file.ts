/** The file as a whole cannot be taken; the message is a sentence for the person who brought it. */
export class UnreadableFile extends Error {}
