import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { settingNames } from './settings.ts'

/** Shorter names resemble too many variables of the operating system. */
const shortest = 7
/** How many letters may be wrong, missing, added or swapped. */
const slipsAtMost = 2
/** Variables of Node, npm, tests and the lab. */
const isOfTools = (name: string) => /^(NODE|TEST|LAB|npm)_|^(TZ|CHROME_PATH|MALLOC_ARENA_MAX)$/.test(name)

/**
 * A sentence for each variable that looks like a setting but is none: every unknown name in `envFile`, which holds nothing but
 * settings, and names in the environment that are one or two typos away from a setting that is not set.
 */
export function strangeSettings(env: Record<string, string | undefined>, envFile = '.env'): string[] {
  const own = existsSync(envFile) ? Object.keys(parseEnv(readFileSync(envFile, 'utf8'))) : []
  const strange = new Map<string, string | null>()
  for (const name of [...own, ...Object.keys(env)]) {
    if (settingNames.has(name) || isOfTools(name)) continue
    const meant = nearest(name, env)
    if (meant !== null || own.includes(name)) strange.set(name, meant)
  }
  return [...strange].map(
    ([name, meant]) => `${name} is not a setting and has no effect.${meant === null ? '' : ` Did you mean ${meant}?`}`,
  )
}

function nearest(name: string, env: Record<string, string | undefined>): string | null {
  if (name.length < shortest) return null
  const near = [...settingNames]
    .filter((each) => !env[each] && Math.abs(each.length - name.length) <= slipsAtMost)
    .map((each) => ({ each, slips: slipsBetween(name.toUpperCase(), each) }))
    .filter(({ each, slips }) => each.length >= shortest && slips <= slipsAtMost)
    .toSorted((a, b) => a.slips - b.slips)
  return near[0]?.each ?? null
}

/** Optimal string alignment: letters to change, add, leave out or swap with the next. */
function slipsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      )
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
