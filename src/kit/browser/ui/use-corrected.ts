import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Props of the element around the control. */
interface Box {
  ref: RefObject<HTMLDivElement | null>
  /** React's event, not the DOM's: a render before the form knows the new value would restore the old one. */
  onInput: () => void
}

/**
 * Whether the control in a box was corrected since it got `error`: it has another value, which the browser finds valid. The
 * field then hides the error. With the refused value again, or when the form is sent, it is no longer corrected.
 */
export function useCorrected(error: ReactNode): [Box, isCorrected: boolean] {
  const box = useRef<HTMLDivElement>(null)
  const wrong = useRef<string | null>(null)
  const [isCorrected, setCorrected] = useState(false)
  useEffect(() => {
    const control = controlIn(box.current)
    if (!error || !control) return
    wrong.current = contentOf(control)
    const sendAgain = () => {
      wrong.current = contentOf(control)
      setCorrected(false)
    }
    const { form } = control
    form?.addEventListener('submit', sendAgain)
    return () => {
      form?.removeEventListener('submit', sendAgain)
      wrong.current = null
      setCorrected(false)
    }
  }, [error])
  const onInput = () => {
    const control = controlIn(box.current)
    if (control && wrong.current !== null) setCorrected(contentOf(control) !== wrong.current && control.validity.valid)
  }
  return [{ ref: box, onInput }, isCorrected]
}

const controlIn = (box: HTMLElement | null) => box?.querySelector<Control>('input, select, textarea') ?? null

const contentOf = (control: Control) =>
  control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)
    ? String(control.checked)
    : control.value
