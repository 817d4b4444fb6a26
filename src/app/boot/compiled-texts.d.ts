/** `texts:deals,home` makes a screen wait for these texts, `texts:en/deals,home` are they; see scripts/compiled-texts.ts. */
declare module 'texts:*' {
  const texts: Record<string, unknown>
  export default texts
}

/** The files of texts that a script of the browser says, by its name and language; empty while developing. */
declare module 'texts:files' {
  const files: Record<string, Record<string, string>>
  export default files
}

/** A script to be written into a page; see scripts/inline-scripts.ts. */
declare module 'inline:*' {
  const code: string
  export default code
}
