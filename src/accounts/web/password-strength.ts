import { passwordLength } from '../limits.ts'

export type Strength = 'none' | 'short' | 'long' | 'weak' | 'fair' | 'strong'

/** Common passwords without digits and signs. */
const beginnings =
  /^(pass|pw|kennwort|motdepasse|secret|geheim|qwert|asdf|yxcv|abc|admin|welcome|willkommen|hallo|hello|basel|rhein|festival|summer|sommer|ete|iloveyou|football|fcb|dragon|monkey|letmein|login|test|123|111|000)/

/**
 * How hard a password is to guess; a hint, not a rule. Length counts most; repetitions, sequences and words in `own` (address, name)
 * count little.
 */
export function passwordStrength(password: string, own: string[] = []): { strength: Strength; missing: number } {
  const letters = [...password.normalize('NFC')]
  const missing = Math.max(0, passwordLength.min - letters.length)
  if (letters.length === 0) return { strength: 'none', missing }
  if (missing > 0) return { strength: 'short', missing }
  if (letters.length > passwordLength.max) return { strength: 'long', missing }
  const plain = password.toLowerCase()
  const parts = own.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((part) => part.length > 3)
  let worth = new Set(letters).size + (letters.length - new Set(letters).size) / 3
  for (let at = 2; at < letters.length; at++) {
    const [a, b, c] = [letters[at - 2]!, letters[at - 1]!, letters[at]!].map((letter) => letter.codePointAt(0)!)
    if (b! - a! === c! - b! && Math.abs(c! - b!) <= 1) worth -= 0.7
  }
  if (beginnings.test(plain.replace(/[^\p{L}\p{N}]/gu, ''))) worth -= 5
  for (const part of parts) if (plain.includes(part)) worth -= part.length
  return { strength: worth < 8 ? 'weak' : worth < 12 ? 'fair' : 'strong', missing }
}
