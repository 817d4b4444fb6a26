const watchers = new WeakMap<Element, IntersectionObserver>()
const waiting = new WeakMap<Element, (isFirst: boolean) => void>()
/** Sections whose first sight was told. */
const told = new WeakSet<IntersectionObserver>()

/**
 * Tells, once, when an element is in sight of the `section` that it is scrolled in, or half a screen from it; one observer
 * for each section. `isFirst`: it is so from the beginning, before anybody has scrolled; later ones are told a few in each frame.
 * Answers how to stop waiting.
 */
export function whenNear(element: Element, tell: (isFirst: boolean) => void): () => void {
  const section = element.closest('section')!
  const watcher = watchers.get(section) ?? new IntersectionObserver(tellNear, { root: section, rootMargin: '50%' })
  watchers.set(section, watcher)
  waiting.set(element, tell)
  watcher.observe(element)
  return () => {
    watcher.unobserve(element)
    waiting.delete(element)
  }
}

function tellNear(entries: IntersectionObserverEntry[], watcher: IntersectionObserver) {
  const isFirst = !told.has(watcher)
  told.add(watcher)
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    watcher.unobserve(target)
    if (isFirst) waiting.get(target)?.(true)
    else soon.push(target)
  }
  if (soon.length > 0 && !isTelling) tellSome()
}

/** So many a frame: a throw of the finger brings a screenful near at once, and drawing all of it in one task would stop the scrolling. */
const inAFrame = 3
const soon: Element[] = []
let isTelling = false

function tellSome() {
  for (const element of soon.splice(0, inAFrame)) waiting.get(element)?.(false)
  isTelling = soon.length > 0
  if (isTelling) requestAnimationFrame(tellSome)
}
