import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { entryFor } from './plain-menu.ts'

export type MenuEntry = { label: string; icon?: ReactNode } & (
  | { href: string }
  /** `name`: identifies the action on pages without React; see plain-menu.ts. */
  | { onSelect: () => void; name?: string }
)

/**
 * A button with a dropdown list of links and actions (a disclosure, not an ARIA menu, so links stay links). Escape and a
 * click outside close it, arrow keys, Home and End move through it, the focus returns to the button.
 */
export function Menu({
  label,
  name,
  shortLabel,
  icon,
  entries,
  className = 'relative',
  buttonClassName = '',
  listClassName = '',
}: {
  label: string
  /** Accessible name, if the label alone does not say of what; must begin with it. */
  name?: string
  /** Text of the button on phones; must be a part of `label`, which stays the accessible name. */
  shortLabel?: string
  icon?: ReactNode
  entries: MenuEntry[]
  /** The list aligns with the right edge of this element. If the button can be at the left, make its row `relative` instead. */
  className?: string
  buttonClassName?: string
  /** e.g. to open upwards from a bar at the lower edge */
  listClassName?: string
}) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const listId = useId()

  useEffect(() => {
    if (!open) return
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [open])

  function walk(event: KeyboardEvent) {
    if (event.key === 'Escape' && open) {
      // Escape closes the menu only, not the dialog below it
      event.preventDefault()
      setOpen(false)
      root.current?.querySelector('button')?.focus()
      return
    }
    const items = [...(root.current?.querySelectorAll<HTMLElement>('li > *') ?? [])]
    const next = entryFor(event.key, items, open)
    if (!next) return
    event.preventDefault()
    flushSync(() => setOpen(true)) // a hidden entry cannot take the focus
    next.focus()
  }

  return (
    <div ref={root} data-menu className={className}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        aria-label={name ?? (shortLabel && label)}
        onClick={() => setOpen(!open)}
        onKeyDown={walk}
        className={`inline-flex min-h-11 items-center gap-2 rounded-6 px-3 font-semibold hover:bg-well aria-expanded:[&>svg:last-child]:rotate-180 ${buttonClassName}`}
      >
        {icon}
        {shortLabel && <span className="md:hidden">{shortLabel}</span>}
        {shortLabel ? <span className="max-md:hidden">{label}</span> : label}
        <ChevronDown aria-hidden="true" className="size-5 transition-transform" />
      </button>
      <ul
        id={listId}
        hidden={!open}
        className={`absolute top-full right-0 z-40 mt-2 min-w-56 rounded-6 border-2 border-rule bg-surface py-1 text-ink animate-open ${listClassName}`}
      >
        {entries.map((entry) => (
          <li key={entry.label} className="p-1 pb-0 last:pb-1">
            {'href' in entry ? (
              <a href={entry.href} className={item} onKeyDown={walk} onClick={() => setOpen(false)}>
                {entry.icon}
                {entry.label}
              </a>
            ) : (
              <button
                type="button"
                name={entry.name}
                className={item}
                onKeyDown={walk}
                onClick={() => {
                  // first, so that a dialog opened by the entry returns the focus to the button
                  root.current?.querySelector('button')?.focus({ preventScroll: true })
                  setOpen(false)
                  entry.onSelect()
                }}
              >
                {entry.icon}
                {entry.label}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const item =
  'flex min-h-11 w-full items-center gap-3 rounded-6 px-3 text-left font-medium text-ink no-underline hover:bg-well [&_svg]:size-5'
