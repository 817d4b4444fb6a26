const observers = new WeakMap<Element, IntersectionObserver>()
const listeners = new WeakMap<Element, (isFirst: boolean) => void>()
/** Observers that have reported once. */
const called = new WeakSet<IntersectionObserver>()

/**
 * Calls `listener` once, when the element is in sight or within half a screen of the scrolling `section` around it. `isFirst`: it
 * was from the start. Later elements are handled a few in each frame.
 * @returns stops observing
 */
export function whenNear(element: Element, listener: (isFirst: boolean) => void): () => void {
  const section = element.closest('section')!
  const observer = observers.get(section) ?? new IntersectionObserver(noticeNear, { root: section, rootMargin: '50%' })
  observers.set(section, observer)
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    observer.unobserve(element)
    listeners.delete(element)
  }
}

function noticeNear(entries: IntersectionObserverEntry[], observer: IntersectionObserver) {
  const isFirst = !called.has(observer)
  called.add(observer)
  const isScheduled = queue.length > 0
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    observer.unobserve(target)
    if (isFirst) listeners.get(target)?.(true)
    else queue.push(target)
  }
  if (!isScheduled) handleSome()
}

/** Elements in a frame: a quick swipe brings a screenful near, and drawing it in one task would stop the scrolling. */
const perFrame = 3
const queue: Element[] = []

function handleSome() {
  for (const element of queue.splice(0, perFrame)) listeners.get(element)?.(false)
  if (queue.length > 0) requestAnimationFrame(handleSome)
}
