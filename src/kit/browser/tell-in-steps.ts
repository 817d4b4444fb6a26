/** So many in one task: drawing more at once holds up a phone. */
const atOnce = 8

/** Tells all that listen now, a few in each task, so that a tap in between is answered. Who has left meanwhile is not told. */
export function tellInSteps(listeners: ReadonlySet<() => void>): void {
  const some = (left: (() => void)[]) => {
    for (const tell of left.slice(0, atOnce)) if (listeners.has(tell)) tell()
    if (left.length > atOnce) setTimeout(some, 0, left.slice(atOnce))
  }
  some([...listeners])
}
