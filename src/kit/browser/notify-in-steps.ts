/** Listeners per task: a phone that draws more at once does not react to taps. */
const atOnce = 8

/** Calls all listeners, a few in each task, so that the page reacts to taps in between. Skips listeners that have left. */
export function notifyInSteps(listeners: ReadonlySet<() => void>): void {
  const some = (left: (() => void)[]) => {
    for (const listener of left.splice(0, atOnce)) if (listeners.has(listener)) listener()
    if (left[0]) setTimeout(some, 0, left)
  }
  some([...listeners])
}
