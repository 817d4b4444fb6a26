const escapes: Record<string, string> = {
  '&': '\\u0026',
  '>': '\\u003e',
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/**
 * JSON to stand in a `<script>` of a page: it reads as the same value, cannot end the script it stands in, and has
 * nothing that HTML or React would escape once more.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[&><\u2028\u2029]/g, (letter) => escapes[letter]!)
}
