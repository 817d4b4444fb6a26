/** So many in one task: drawing more at once holds up a phone. */
const atOnce = 8

/** Tells all that listen now, a few in each task, so that a tap in between is answered. Who has left meanwhile is not told. */
export function notifyInSteps(listeners: ReadonlySet<() => void>): void {
  const some = (left: (() => void)[]) => {
    for (const tell of left.splice(0, atOnce)) if (listeners.has(tell)) tell()
    if (left[0]) setTimeout(some, 0, left)
  }
  some([...listeners])
}
