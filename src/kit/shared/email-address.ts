import { parseUrl } from './parse-url.ts'

/**
 * An email address in the form that is stored: the domain in ASCII by UTS 46, as URL parsers do it (nontransitional, bidi and
 * joiners checked), the local part as typed (NFC). Two spellings of one address have the same `folded`.
 */
export interface EmailAddress {
  email: string
  /** The local part folded by `foldLocal`, with the same domain. No white space. */
  folded: string
}

/**
 * Reads a typed address. `malformed`: it is no address, or its domain cannot exist. `confusing`: its local part looks like that of
 * another address, so mail for one person could go to somebody else.
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
 * The key to look up a typed address. An unreadable one keeps its spelling, after a space that no valid key has, so its key never equals
 * that of another address.
 */
export function foldEmail(typed: string): string {
  const read = readEmail(typed.trim())
  if (typeof read !== 'string') return read.folded
  // in ASCII folding changes case only
  return /^[\u0001-\u007f]*$/.test(typed)
    ? typed.trim().toLowerCase()
    : ` ${typed.trim().normalize('NFC').toLowerCase()}`
}

/** Invisible characters, bidi controls, and characters that end an address or a host name in other programs are refused. */
const address = /^([^\s@<>()[\]",;:\\\p{Cc}\p{Cf}]{1,64})@([^\s@<>()[\]",;:\\/?#%\p{Cc}\p{Cf}]{3,200})$/u
/** Characters */
const longest = 200

const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/

function asciiDomain(written: string): string | null {
  const domain = parseUrl(`http://${written}`)?.hostname ?? ''
  return hostName.test(domain) ? domain : null
}

/** Folds compatibility characters (NFKC) and case. Upper case comes first, so that ı, ſ and ß become I, S and SS. */
function foldLocal(local: string): string {
  return local.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

/**
 * True for characters that folding changes beyond their case (full width, ligatures, ı, ß), for letters of several scripts, for a Latin,
 * Greek or Cyrillic letter with a combining mark that has no composed character, and for signs beyond ASCII (dashes, emoji).
 */
function isConfusing(local: string): boolean {
  if (local.toLowerCase() !== foldLocal(local)) return true
  if (/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}/u.test(foldLocal(local))) return true
  if (!/^[\u0021-\u007e\p{L}\p{M}\p{Nd}]*$/u.test(local)) return true
  const letters = local.match(/[\p{L}\p{M}]/gu) ?? []
  return !scripts.some((script) => letters.every((letter) => script.test(letter)))
}

/** Scripts in use today (UAX 31, table 5). The scripts that East Asian texts mix count as one. */
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
