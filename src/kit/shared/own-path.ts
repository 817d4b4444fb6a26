import { parseUrl } from './parse-url.ts'

const longest = 2000

/**
 * Reads a path on this site from outside text (`?next=`), and normalises it like a browser. Null for everything that could lead to
 * another site.
 */
export function ownPath(text: string | null | undefined): string | null {
  // browsers drop tabs and line ends, and read a backslash as a slash: refuse all of them
  if (!text || text.length > longest || !/^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(text)) return null
  const base = 'http://own.invalid'
  const url = parseUrl(text, base)
  // "/.//evil.example" is normalised to "//evil.example", which names a host
  if (!url || url.origin !== base || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}
