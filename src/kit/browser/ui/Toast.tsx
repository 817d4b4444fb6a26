import { useCallback, useState } from 'react'
import X from 'lucide-react/icons/x'

interface Tap {
  label: string
  onClick: () => void
}

/** `question`: a second line with a tap of its own. `stayMs`: how long the note stays; absent: as long as `useToast` says. */
export interface ToastNote {
  text: string
  action?: Tap
  question?: { text?: string; yes: Tap }
  stayMs?: number
}

/**
 * A short message of success, with an undo where there is one, at the lower edge above the thumb. It stays until `onClose`;
 * `useToast` closes it. The live region is there without a note too, so that screen readers read new text aloud.
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
          <span className="min-w-0">
            <Line text={note.text} tap={note.action} />
            {note.question && <Line text={note.question.text} tap={note.question.yes} />}
          </span>
          <button
            type="button"
            aria-label={closeLabel}
            onClick={onClose}
            className="grid size-11 shrink-0 place-items-center self-start rounded-6"
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        </span>
      )}
    </output>
  )
}

function Line({ text, tap }: { text?: string | undefined; tap: Tap | undefined }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1">
      {text && <span className="min-w-0 py-2 [overflow-wrap:anywhere]">{text}</span>}
      {tap && (
        <button
          type="button"
          onClick={tap.onClick}
          className={`min-h-11 rounded-6 text-left underline underline-offset-4 ${text ? 'px-3' : 'pr-3'}`}
        >
          {tap.label}
        </button>
      )}
    </span>
  )
}

/** Closes the last toast. All parts of a page show theirs at the same place, so a new toast closes one of another part. */
let closeLatest: (() => void) | null = null

/**
 * One toast at a time on the whole page: call `show({ text })`, and give `note` and `close` to `Toast`. It closes after
 * `stayMs` (take longer with an undo), or when another toast is shown.
 */
export function useToast(stayMs = 6000) {
  const [note, setNote] = useState<ToastNote | null>(null)
  const close = useCallback(() => setNote(null), [])
  const show = useCallback(
    (next: ToastNote) => {
      if (closeLatest !== close) closeLatest?.()
      closeLatest = close
      setNote(next)
      setTimeout(() => setNote((current) => (current === next ? null : current)), next.stayMs ?? stayMs)
    },
    [stayMs, close],
  )
  return { note, show, close }
}
