import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react'
import X from 'lucide-react/icons/x'
import { IconButton } from './Button.tsx'
import { showModal } from './show-modal.ts'

/**
 * A question or a short text over the page, on the browser's `<dialog>`: the focus stays inside and returns afterwards; Escape
 * and a click outside call `onClose`. On phones it lies at the bottom edge, near the thumb. `actions`: the primary one first.
 *
 * Android's back button or gesture closes it too (Chromium treats it as a close request); in other browsers back leaves the
 * page. History entries for dialogs would change that, but after a reload they are back steps that do nothing.
 */
export function Dialog({
  open,
  onClose,
  title,
  closeLabel,
  actions,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  closeLabel: string
  actions?: ReactNode
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    if (open) showModal(element)
    if (!open && element?.open) element.close()
  }, [open])
  // The content fills the dialog, so a click on the dialog itself was outside. Check where it was pressed as well: selecting
  // text and releasing the mouse outside is also a click on the dialog.
  const pressed = useRef<EventTarget>(null)
  const closeBeside = useEffectEvent(
    ({ target }: MouseEvent) => target === dialog.current && target === pressed.current && onClose(),
  )
  useEffect(() => {
    const element = dialog.current
    const listen = (event: MouseEvent) => closeBeside(event)
    element?.addEventListener('click', listen)
    return () => element?.removeEventListener('click', listen)
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      className="m-auto w-full max-w-[min(32rem,100vw)] rounded-6 border-2 border-rule bg-surface p-0 text-ink backdrop:bg-overlay open:animate-open max-sm:mb-0 max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0"
    >
      {open && (
        <div className="grid gap-4 p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
          <div className="flex items-start justify-between gap-4">
            <h2 id={titleId} className="pt-1.5 text-xl">
              {title}
            </h2>
            <IconButton
              label={closeLabel}
              icon={<X aria-hidden="true" className="size-6" />}
              onClick={onClose}
              className="-mt-1 -mr-2"
            />
          </div>
          <div className="grid gap-3">{children}</div>
          {actions && <div className="flex flex-wrap gap-3 max-sm:[&>*]:flex-1">{actions}</div>}
        </div>
      )}
    </dialog>
  )
}
