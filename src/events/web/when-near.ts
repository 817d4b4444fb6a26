const watchers = new WeakMap<Element, IntersectionObserver>()
const waiting = new WeakMap<Element, (isFirst: boolean) => void>()
/** Sections whose first sight was told. */
const told = new WeakSet<IntersectionObserver>()

/**
 * Tells, once, when an element is in sight of the `section` that it is scrolled in, or half a screen from it; one observer
 * for each section. `isFirst`: it is so from the beginning, before anybody has scrolled. Answers how to stop waiting.
 */
export function whenNear(element: Element, tell: (isFirst: boolean) => void): () => void {
  const section = element.closest('section')!
  const watcher = watchers.get(section) ?? new IntersectionObserver(tellNear, { root: section, rootMargin: '50%' })
  watchers.set(section, watcher)
  waiting.set(element, tell)
  watcher.observe(element)
  return () => watcher.unobserve(element)
}

function tellNear(entries: IntersectionObserverEntry[], watcher: IntersectionObserver) {
  const isFirst = !told.has(watcher)
  told.add(watcher)
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    watcher.unobserve(target)
    waiting.get(target)?.(isFirst)
  }
}
