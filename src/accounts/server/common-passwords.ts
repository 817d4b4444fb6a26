import { readFileSync } from 'node:fs'

let known: Set<string> | null = null

/** Whether the password is on a list of some 18,000 common ones, in any case. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('# ')),
  )
  return known.has(password.normalize('NFKC').toLowerCase())
}
