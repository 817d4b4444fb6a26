/** Moves the focus to the nearest event in the direction of the arrow key. */
export function goByArrows(event: KeyboardEvent) {
  const way = ways[event.key]
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-event]')
  if (!way || !from || event.altKey || event.ctrlKey || event.metaKey) return
  const here = middleOf(from)
  let nearest: { element: HTMLElement; far: number } | null = null
  for (const element of (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-event]')) {
    const { x, y } = middleOf(element)
    const along = (x - here.x) * way.x + (y - here.y) * way.y
    if (along < 2) continue
    const aside = Math.abs((x - here.x) * way.y) + Math.abs((y - here.y) * way.x)
    const far = along + 2 * aside
    if (!nearest || far < nearest.far) nearest = { element, far }
  }
  if (!nearest) return
  event.preventDefault()
  nearest.element.focus({ preventScroll: true })
  nearest.element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

const ways: Record<string, { x: number; y: number }> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
}

function middleOf(element: HTMLElement) {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + Math.min(height / 2, 24) }
}
