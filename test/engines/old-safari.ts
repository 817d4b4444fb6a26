import { allMembers, lackedBy } from './newer-members.ts'

/** The Safari that the mode is named after; the oldest one that the site supports. */
const ios = '16.4'

/** What Safari of iOS got later, or has not yet: `[null, 'Temporal']`, `['URL', 'parse']`. */
export const newerThanOldSafari: [owner: string | null, name: string][] = allMembers
  .filter(({ compat }) => lackedBy(compat, { safari_ios: ios }).length > 0)
  .map(({ interface: owner, name }) => [owner, name])

/**
 * A script that makes any browser's window or worker as poor as Safari of iOS 16.4: whatever came later is gone. To be run
 * before any script of the page, or put before those of a worker.
 */
export const oldSafari = `(${remove.toString()})(${JSON.stringify(newerThanOldSafari)});`

function remove(names: [owner: string | null, name: string][]) {
  const everything = globalThis as unknown as Record<string, unknown>
  // of which one is no global
  const ofTyped = Object.getPrototypeOf(Int8Array) as object
  const owners = names.map(([owner]) =>
    owner === null
      ? globalThis
      : owner === 'TypedArray'
        ? ofTyped
        : owner
            .split('.')
            .reduce<unknown>((of, name) => (of as Record<string, unknown> | undefined)?.[name], everything),
  )
  for (const [index, [, name]] of names.entries())
    // a member of an interface may be its own or its objects'; what cannot be taken away stays
    for (const owner of [owners[index], (owners[index] as { prototype?: unknown } | undefined)?.prototype])
      if (owner && /object|function/.test(typeof owner)) Reflect.deleteProperty(owner, name)
}
