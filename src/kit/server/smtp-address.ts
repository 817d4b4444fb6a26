/** Address of a mail server, in the form of nodemailer's options. */
export interface SmtpAddress {
  host: string
  port: number
  /** TLS from the first byte; otherwise by STARTTLS where the server offers it. */
  secure: boolean
  auth?: { user: string; pass: string }
  requireTLS?: boolean
  ignoreTLS?: boolean
  name?: string
  authMethod?: string
  tls?: { rejectUnauthorized?: boolean; servername?: string }
}

/** Options that the query of the address may have. */
const switches = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized']
const words = ['name', 'authMethod', 'tls.servername']

/**
 * Reads an `smtp://` or `smtps://` URL; null: malformed. After the host only known options may follow: a password with an unescaped `/`,
 * `?` or `#` ends the host early, and part of it would be taken for the host name.
 */
export function readSmtpAddress(value: string): SmtpAddress | null {
  const url = URL.parse(value)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || url.port === '0') return null
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash || /\s/.test(value)) return null
  const user = decoded(url.username)
  const pass = decoded(url.password)
  // both or neither
  if (user === null || pass === null || (user === '') !== (pass === '')) return null
  const options = readOptions(url.searchParams)
  if (!options) return null
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(user ? { auth: { user, pass } } : {}),
    ...options,
  }
}

function readOptions(query: URLSearchParams): Partial<SmtpAddress> | null {
  const options: Record<string, unknown> = {}
  const tls: Record<string, unknown> = {}
  for (const [key, value] of query) {
    const known = switches.includes(key) ? /^(true|false)$/.test(value) : words.includes(key) && value !== ''
    if (!known) return null
    const into = key.startsWith('tls.') ? tls : options
    into[key.replace('tls.', '')] = switches.includes(key) ? value === 'true' : value
  }
  return { ...options, ...(Object.keys(tls).length > 0 ? { tls } : {}) }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
