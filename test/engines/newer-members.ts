import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data/types'

type Browsers = Record<string, string>

/** A global or member that scripts use by name: `Temporal` (without an interface), `URL.parse`, `Set.union`. */
export interface Member {
  /** The interface, such as `URL` or `Intl.DurationFormat`; null for a global. */
  interface: string | null
  name: string
  isLanguage: boolean
  compat: CompatStatement
}

// read as text: as a module it would be 20 MB of types
const data = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@mdn/browser-compat-data'), 'utf8'),
) as CompatData

export const browserReleases = data.browsers

/** Every global and every member of one that MDN's compatibility data list. */
export const allMembers: Member[] = [
  ...Object.entries(data.javascript!.builtins!).flatMap(([name, node]) => membersOf(null, name, node, true)),
  ...Object.entries(data.api!).flatMap(([name, node]) => membersOf(null, name, node, false)),
]

function membersOf(
  parent: string | null,
  key: string,
  node: CompatStatement | Identifier,
  isLanguage: boolean,
): Member[] {
  const name = key.replace(/_static$/, '')
  // names such as "reset_event" are behaviours, "@@iterator" is a symbol; scripts use neither by name
  if (!('__compat' in node) || !node.__compat || !/^[A-Za-z]\w*$/.test(name) || name.endsWith('_event')) return []
  const path = parent === null ? name : `${parent}.${name}`
  // members of a window are globals
  const owner = parent === 'Window' || parent === 'WorkerGlobalScope' ? null : parent
  const isBehaviour = name.includes('_')
  return [
    ...(isBehaviour ? [] : [{ interface: owner, name, isLanguage, compat: node.__compat }]),
    ...Object.entries(node).flatMap(([inner, below]) =>
      // a constructor is listed among its members under its own name; entries below a member are details
      inner === '__compat' || inner === name || (parent !== null && !/^[A-Z]/.test(name))
        ? []
        : membersOf(path, inner, below, isLanguage),
    ),
  ]
}

/** The browsers that lack it in the given release. */
export function lackedBy({ support }: CompatStatement, browsers: Browsers): string[] {
  const statements = (browser: string) => [support[browser as keyof typeof support] ?? []].flat()
  return Object.entries(browsers)
    .filter(([browser, release]) => {
      const all = statements(browser)
      return (
        all.length > 0 &&
        !all.some(
          (each) =>
            !each.flags &&
            !each.prefix &&
            !each.alternative_name &&
            isWithin(each.version_added, release) &&
            !isWithin(each.version_removed, release),
        )
      )
    })
    .map(([browser]) => browser)
}

/** Whether `release` includes a change of `version`. "≤37" is some release up to 37, "preview" is no release yet. */
function isWithin(version: string | boolean | null | undefined, release: string): boolean {
  const [major, minor = 0] = String(version).replace('≤', '').split('.').map(Number)
  const [ofMajor, ofMinor = 0] = release.split('.').map(Number)
  return major! < ofMajor! || (major === ofMajor && minor <= ofMinor)
}
