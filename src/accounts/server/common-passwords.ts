import { readFileSync } from 'node:fs'

let known: Set<string> | null = null

/** Whether the password is one of some 18,000 well-known ones, in whatever case. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('# ')),
  )
  return known.has(password.normalize('NFKC').toLowerCase())
}
