import { parseUrl } from './parse-url.ts'

/**
 * The one form of an email address: the domain in ASCII by UTS 46, as every URL parser does it (nontransitional, bidi and
 * joiners checked), the local part as typed (NFC). `folded` is what makes two spellings one address.
 */
export interface EmailAddress {
  email: string
  /** The local part folded by `foldLocal`, and the same domain. It holds no white space. */
  folded: string
}

/**
 * Reads an address as somebody typed it. `malformed`: no address, or its domain cannot exist; `confusing`: its local part
 * reads like another one, so that mail for one person could go to somebody else.
 */
export function readEmail(typed: string): EmailAddress | 'malformed' | 'confusing' {
  const [, local, written] = address.exec(typed) ?? []
  const domain = local && written ? asciiDomain(written) : null
  if (!local || !domain) return 'malformed'
  const name = local.normalize('NFC')
  if (isConfusing(name)) return 'confusing'
  const email = `${name}@${domain}`
  return email.length > longest ? 'malformed' : { email, folded: `${foldLocal(name)}@${domain}` }
}

/**
 * The key by which an address is found. What cannot be read keeps its own spelling, behind a space that no readable address has,
 * so that it never becomes the key of another.
 */
export function foldEmail(typed: string): string {
  const read = readEmail(typed.trim())
  if (typeof read !== 'string') return read.folded
  // in ASCII nothing folds but case
  return /^[\u0001-\u007f]*$/.test(typed)
    ? typed.trim().toLowerCase()
    : ` ${typed.trim().normalize('NFC').toLowerCase()}`
}

/** What cannot be seen, turns the direction of a line, or ends an address or a host name somewhere else is in none. */
const address = /^([^\s@<>()[\]",;:\\\p{Cc}\p{Cf}]{1,64})@([^\s@<>()[\]",;:\\/?#%\p{Cc}\p{Cf}]{3,200})$/u
/** Characters of an address. */
const longest = 200

const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/

function asciiDomain(written: string): string | null {
  const domain = parseUrl(`http://${written}`)?.hostname ?? ''
  return hostName.test(domain) ? domain : null
}

/** Compatibility (NFKC) and case; by upper case first, so that ı, ſ and ß are what they look like in capitals: I, S, SS. */
function foldLocal(local: string): string {
  return local.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

/**
 * True where more than case is folded (full width, ligatures, ı, ß), where letters of several scripts are mixed, where a Latin,
 * Greek or Cyrillic letter carries a mark that no one character has, and for signs beyond ASCII, such as dashes and emoji.
 */
function isConfusing(local: string): boolean {
  if (local.toLowerCase() !== foldLocal(local)) return true
  if (/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}/u.test(foldLocal(local))) return true
  if (!/^[\u0021-\u007e\p{L}\p{M}\p{Nd}]*$/u.test(local)) return true
  const letters = local.match(/[\p{L}\p{M}]/gu) ?? []
  return !scripts.some((script) => letters.every((letter) => script.test(letter)))
}

/** Those in use today (UAX 31, table 5); what is written together in East Asia counts as one. */
const scripts = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Thaana',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Tibetan',
  'Myanmar',
  'Georgian',
  'Ethiopic',
  'Khmer',
]
  .map((name) => new RegExp(`[\\p{Script=${name}}\\p{Script=Inherited}]`, 'u'))
  .concat(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script_Extensions=Katakana}\p{Script=Inherited}]/u,
  )
