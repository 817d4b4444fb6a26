/** A part of a language's texts; see scripts/compiled-texts.ts. */
declare module 'texts:*' {
  const texts: Record<string, unknown>
  export default texts
}
