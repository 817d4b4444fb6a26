const watchers = new WeakMap<Element, IntersectionObserver>()
const waiting = new WeakMap<Element, () => void>()

/**
 * Tells, once, when an element is in sight of the `section` that it is scrolled in, or half a screen from it; one observer
 * for each section. Answers how to stop waiting.
 */
export function whenNear(element: Element, tell: () => void): () => void {
  const section = element.closest('section')!
  const watcher = watchers.get(section) ?? new IntersectionObserver(tellNear, { root: section, rootMargin: '50%' })
  watchers.set(section, watcher)
  waiting.set(element, tell)
  watcher.observe(element)
  return () => watcher.unobserve(element)
}

function tellNear(entries: IntersectionObserverEntry[], watcher: IntersectionObserver) {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    watcher.unobserve(target)
    waiting.get(target)?.()
  }
}
