/** A path of our own: one leading slash, nothing a browser could read as another origin. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(path) && path.length <= 2000 && staysHere(path)
}

// as a browser reads it, after every rule of addresses that nobody keeps in mind
function staysHere(path: string): boolean {
  const url = URL.parse(path, 'http://own.invalid')
  return url !== null && url.origin === 'http://own.invalid' && !url.pathname.startsWith('//')
}

/** The path to go to after a login: the wish where it is one of our own, as a browser writes it, else `fallback`. */
export function ownPath(wish: string | null | undefined, fallback = '/'): string {
  if (!wish || !isOwnPath(wish)) return fallback
  const { pathname, search, hash } = new URL(wish, 'http://own.invalid')
  return `${pathname}${search}${hash}`
}
