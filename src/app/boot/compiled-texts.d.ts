/** `texts:deals,home` makes a screen wait for these texts; `texts:en/deals,home` holds them. See scripts/compiled-texts.ts. */
declare module 'texts:*' {
  const texts: Record<string, unknown>
  export default texts
}

/** Files of texts that a script of the browser needs, by its name and language; empty during development. */
declare module 'texts:files' {
  const files: Record<string, Record<string, string>>
  export default files
}

/** Code of a script that is written into pages; see scripts/inline-scripts.ts. */
declare module 'inline:*' {
  const code: string
  export default code
}
