/**
 * The behaviour of `Menu` for its mark-up on a page without React: the button opens and closes it, Escape and a click or focus
 * outside close it, arrow keys, Home and End move through it, the focus returns to the button.
 * @param onSelect called with the `name` of the chosen action
 */
export function bringMenuAlive(menu: HTMLElement, onSelect: (name: string) => void) {
  const button = menu.querySelector<HTMLButtonElement>('button[aria-expanded]')!
  const list = menu.querySelector('ul')!
  const items = [...list.querySelectorAll<HTMLElement>('a, button')]
  const isOpen = () => !list.hidden
  const show = (open: boolean) => {
    list.hidden = !open
    button.setAttribute('aria-expanded', String(open))
  }
  const closeOutside = ({ target }: Event) => {
    if (!menu.contains(target as Node)) show(false)
  }

  button.addEventListener('click', () => show(!isOpen()))
  document.addEventListener('pointerdown', closeOutside)
  document.addEventListener('focusin', closeOutside)
  for (const item of items)
    item.addEventListener('click', () => {
      show(false)
      if (item instanceof HTMLButtonElement) onSelect(item.name)
    })
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isOpen()) {
      show(false)
      button.focus()
      return
    }
    const next = entryFor(event.key, items, isOpen())
    if (!next) return
    event.preventDefault()
    show(true)
    next.focus()
  })
}

/** The entry of a menu that a key moves to; undefined: the key does nothing. A closed menu opens by arrow keys only. */
export function entryFor(key: string, items: HTMLElement[], isOpen: boolean): HTMLElement | undefined {
  if (!isOpen && !key.startsWith('Arrow')) return undefined
  const here = items.indexOf(document.activeElement as HTMLElement)
  if (key === 'ArrowDown') return items[(here + 1) % items.length]
  if (key === 'ArrowUp') return items.at(here < 0 ? -1 : here - 1)
  return key === 'Home' ? items[0] : key === 'End' ? items.at(-1) : undefined
}
