import { useCallback, useState } from 'react'
import X from 'lucide-react/icons/x'

export type ToastNote = { text: string; action?: { label: string; onClick: () => void } }

/**
 * The latest short success with its undo, at the lower edge above the thumb. It stays until `onClose`: whoever shows it
 * decides how long (6 s is usual; longer with an undo). The live region is always there, so that its text is read aloud.
 */
export function Toast({
  note,
  closeLabel,
  onClose,
}: {
  note: ToastNote | null
  closeLabel: string
  onClose: () => void
}) {
  return (
    <output className="print-hidden pointer-events-none fixed inset-x-0 bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-50 flex justify-center px-4 md:bottom-6">
      {note && (
        <span className="pointer-events-auto flex min-w-0 animate-open items-center gap-1 rounded-6 border-2 border-night bg-lantern py-0.5 pr-0.5 pl-4 font-semibold text-on-lantern">
          <span className="min-w-0 py-2 [overflow-wrap:anywhere]">{note.text}</span>
          {note.action && (
            <button
              type="button"
              onClick={note.action.onClick}
              className="min-h-11 rounded-6 px-3 underline underline-offset-4"
            >
              {note.action.label}
            </button>
          )}
          <button
            type="button"
            aria-label={closeLabel}
            onClick={onClose}
            className="grid size-11 shrink-0 place-items-center rounded-6"
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        </span>
      )}
    </output>
  )
}

/** Closes the toast that was shown last, by whichever part of the page. */
let closeLatest: (() => void) | null = null

/**
 * One toast at a time on the whole page: `show({ text })`, then give `note` and `close` to `Toast`. It leaves by itself after
 * `stayMs`, and earlier when another one is shown.
 */
export function useToast(stayMs = 6000) {
  const [note, setNote] = useState<ToastNote | null>(null)
  const close = useCallback(() => setNote(null), [])
  const show = useCallback(
    (next: ToastNote) => {
      if (closeLatest !== close) closeLatest?.()
      closeLatest = close
      setNote(next)
      setTimeout(() => setNote((current) => (current === next ? null : current)), stayMs)
    },
    [stayMs, close],
  )
  return { note, show, close }
}
