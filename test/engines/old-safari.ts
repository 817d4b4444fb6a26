import { allMembers, lackedBy } from './newer-members.ts'

/** The oldest Safari that the site supports. */
const ios = '16.4'

/** Names that Safari of iOS got later, or does not have yet: `[null, 'Temporal']`, `['URL', 'parse']`. */
export const newerThanOldSafari: [owner: string | null, name: string][] = allMembers
  .filter(({ compat }) => lackedBy(compat, { safari_ios: ios }).length > 0)
  .map(({ interface: owner, name }) => [owner, name])

/**
 * A script that removes everything newer than Safari of iOS 16.4 from a browser's window or worker. Run it
 * before all scripts of the page or worker.
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
    // a member may be on the interface or on its prototype; members that cannot be deleted stay
    for (const owner of [owners[index], (owners[index] as { prototype?: unknown } | undefined)?.prototype])
      if (owner && /object|function/.test(typeof owner)) Reflect.deleteProperty(owner, name)
}
