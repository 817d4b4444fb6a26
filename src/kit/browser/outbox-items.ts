// on every page, also on those that come without the app: it imports nothing

/** Items that local storage could not take, by name: they hold for as long as this page. */
export const unstored = new Map<string, string>()

/** Called when items of an owner were forgotten or renamed. */
export const onOwnerChanged = new Set<() => void>()

/**
 * By room how many intents were not sent, of `owner` and of the device, of which those that the server has refused count too until somebody
 * has read that; what a guest has saved waits for a login. See outbox.ts.
 */
export function countUnsent(owner: string): Record<string, number> {
  const counts = oldCounts()
  for (const [name, text] of items()) {
    const [kind, of = '', room = ''] = name.split(':')
    const isOwn = of === owner && of !== 'guest' && !text.includes('"refused":{')
    if (kind === 'outbox' && (isOwn || of.startsWith('device-'))) counts[room] = (counts[room] ?? 0) + 1
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

/** Outbox and offline copies of who logs out. */
export function forgetOwner(owner: string): void {
  for (const [name] of owner === 'guest' ? [] : itemsOf(owner)) remove(name)
  forgetOldUnsent()
  tell()
}

/** The same of an owner whose name is another from now on. */
export function renameOwner(from: string, to: string): void {
  for (const [name, text] of itemsOf(from)) {
    const [kind, , ...rest] = name.split(':')
    remove(name)
    store([kind, to, ...rest].join(':'), text)
  }
  tell()
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

function tell() {
  for (const each of onOwnerChanged) each()
}

// The rest can go one release after 1.1: version 1.0 counted under this name what each room had not sent.
const oldKey = 'unsent'

function oldCounts(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(oldKey) ?? 'null')
    // anything may be stored under this name: a text has keys too, one a letter
    return Object(stored) === stored ? { ...(stored as Record<string, number>) } : {}
  } catch {
    return {}
  }
}

/** Once what was counted is in the outbox, or was forgotten. */
export function forgetOldCount(room: string): void {
  const { [room]: _, ...others } = oldCounts()
  if (Object.keys(others).length > 0) store(oldKey, JSON.stringify(others))
  else remove(oldKey)
}

/** Scans of a till stay, whoever logs out. */
function forgetOldUnsent() {
  for (const room of Object.keys(oldCounts())) if (room !== 'till') forgetOldCount(room)
  for (const [name] of items()) if (name.startsWith(`${oldKey}.`)) remove(name)
}
