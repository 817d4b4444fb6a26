import { useRef, type PointerEvent } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { useTranslations } from 'use-intl'

/** How much of the map the list covers on phones. */
export type Sheet = 'peek' | 'half' | 'full'
/** Height of the sheet on phones while it lets the map be seen. */
export const sheetPx = 176
/** Classes for each height. */
export const sheets: Record<Sheet, string> = {
  peek: 'stage:h-44 noscript:stage:h-[75%]',
  half: 'stage:h-[60%]',
  full: 'stage:h-[calc(100%-1rem)]',
}

export function SheetButton({ sheet, onChange }: { sheet: Sheet; onChange: (sheet: Sheet) => void }) {
  const t = useTranslations('dealsMap')
  const next: Record<Sheet, Sheet> = { peek: 'half', half: 'full', full: 'peek' }
  return (
    <button
      type="button"
      onClick={() => onChange(next[sheet])}
      className="inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-6 px-2 text-sm font-semibold hover:bg-well beside:hidden noscript:hidden"
    >
      {sheet === 'full' ? (
        <ChevronDown aria-hidden="true" className="size-5" />
      ) : (
        <ChevronUp aria-hidden="true" className="size-5" />
      )}
      {t(sheet === 'full' ? 'showMap' : 'showList')}
    </button>
  )
}

/** A shorter drag is a tap. */
const dragPx = 6

/**
 * Dragging the head moves the sheet; released, it snaps to the nearest of its three heights, or to the next one in the direction of a
 * flick. Heights are set by classes, so they are measured here.
 */
export function useDraggedSheet(onChange: (sheet: Sheet) => void) {
  const box = useRef<HTMLElement>(null)
  const start = useRef<{ id: number; y: number; at: number; height: number; isOn: boolean } | null>(null)
  const heights = (): [Sheet, number][] => {
    const whole = box.current!.parentElement!.clientHeight
    return [
      ['peek', sheetPx],
      ['half', whole * 0.6],
      ['full', whole - 16],
    ]
  }
  const end = ({ clientY, pointerId, timeStamp }: PointerEvent) => {
    const from = start.current
    if (!from || from.id !== pointerId) return
    start.current = null
    if (!from.isOn) return
    const element = box.current!
    // the height after another fifth of a second at this speed
    const height = from.height + (from.y - clientY) * (1 + Math.min(1, 200 / Math.max(1, timeStamp - from.at)))
    element.style.height = element.style.transition = ''
    const [nearest] = heights().toSorted(([, one], [, other]) => Math.abs(one - height) - Math.abs(other - height))
    onChange(nearest![0])
  }
  return {
    box,
    onPointerDown: ({ button, isPrimary, pointerId, clientY, timeStamp, currentTarget }: PointerEvent) => {
      const element = box.current
      if (button !== 0 || !isPrimary || !element || getComputedStyle(currentTarget).touchAction !== 'none') return
      start.current = { id: pointerId, y: clientY, at: timeStamp, height: element.offsetHeight, isOn: false }
    },
    onPointerMove: ({ pointerId, clientY, currentTarget }: PointerEvent) => {
      const from = start.current
      if (!from || from.id !== pointerId) return
      if (!from.isOn && Math.abs(clientY - from.y) < dragPx) return
      if (!from.isOn) currentTarget.setPointerCapture(pointerId)
      from.isOn = true
      const element = box.current!
      const [low, , high] = heights().map(([, height]) => height) as [number, number, number]
      element.style.transition = 'none'
      element.style.height = `${Math.min(high, Math.max(low, from.height + from.y - clientY))}px`
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
