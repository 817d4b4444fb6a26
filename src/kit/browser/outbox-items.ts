// Part of every page, also of those without React: imports nothing.

/** Items that did not fit into local storage, by name. They live as long as this page. */
export const unstored = new Map<string, string>()

/** Called after items of an owner were deleted or renamed. */
export const onOwnerChanged = new Set<() => void>()

/**
 * Unsent intents by kind: those of `owner` without refused ones, and those of the device with refused ones. What a guest has saved is not
 * counted, because it waits for a login.
 */
export function countUnsent(owner: string): Record<string, number> {
  const counts = oldCounts()
  for (const [name, text] of items()) {
    const [prefix, of = '', kind = ''] = name.split(':')
    const isOwn = of === owner && of !== 'guest' && !text.includes('"refused":{')
    if (prefix === 'outbox' && (isOwn || of.startsWith('device-'))) counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

function items(): [string, string][] {
  try {
    return [...new Map([...Object.entries(localStorage), ...unstored])]
  } catch {
    return [...unstored]
  }
}

/** Deletes the intents and offline copies of an owner who logs out. */
export function forgetOwner(owner: string): void {
  for (const [name] of owner === 'guest' ? [] : itemsOf(owner)) remove(name)
  forgetOldUnsent()
  notify()
}

/** Gives the intents and offline copies of an owner to another one. */
export function renameOwner(from: string, to: string): void {
  for (const [name, text] of itemsOf(from)) {
    const [prefix, , ...rest] = name.split(':')
    remove(name)
    store([prefix, to, ...rest].join(':'), text)
  }
  notify()
}

const itemsOf = (owner: string) =>
  items().filter(([name]) => /^(?:outbox|myCopy):/.test(name) && name.split(':')[1] === owner)

function store(name: string, text: string) {
  try {
    localStorage.setItem(name, text)
  } catch {
    unstored.set(name, text)
  }
}

function remove(name: string) {
  unstored.delete(name)
  try {
    localStorage.removeItem(name)
  } catch {
    // storage is blocked: nothing was stored
  }
}

function notify() {
  for (const listener of onOwnerChanged) listener()
}

// Delete the rest one release after 1.1: version 1.0 stored under this name how many changes of each kind were not sent.
const oldKey = 'unsent'

function oldCounts(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(oldKey) ?? 'null')
    // only an object counts: a text has keys too, one for each letter
    return Object(stored) === stored ? { ...(stored as Record<string, number>) } : {}
  } catch {
    return {}
  }
}

/** Call it when the changes are in the outbox, or deleted. */
export function forgetOldCount(kind: string): void {
  const { [kind]: _, ...others } = oldCounts()
  if (Object.keys(others).length > 0) store(oldKey, JSON.stringify(others))
  else remove(oldKey)
}

/** Keeps the scans of a till. */
function forgetOldUnsent() {
  for (const kind of Object.keys(oldCounts())) if (kind !== 'till') forgetOldCount(kind)
  for (const [name] of items()) if (name.startsWith(`${oldKey}.`)) remove(name)
}
