import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What the element around a control takes. */
interface Box {
  ref: RefObject<HTMLDivElement | null>
  /** React's own, as a change that is drawn before the form has heard of it would put back what was typed. */
  onInput: () => void
}

/**
 * Whether the control in a box has been put right since `error` was said of it: it holds something else, with which the browser
 * finds no fault. The error is then shown no more; it is back with what it was said of, and with the next refusal.
 */
export function useMended(error: ReactNode): [Box, isMended: boolean] {
  const box = useRef<HTMLDivElement>(null)
  const wrong = useRef<string | null>(null)
  const [isMended, setMended] = useState(false)
  useEffect(() => {
    const control = controlIn(box.current)
    if (!error || !control) return
    wrong.current = contentOf(control)
    const sendAgain = () => {
      wrong.current = contentOf(control)
      setMended(false)
    }
    const { form } = control
    form?.addEventListener('submit', sendAgain)
    return () => {
      form?.removeEventListener('submit', sendAgain)
      wrong.current = null
      setMended(false)
    }
  }, [error])
  const onInput = () => {
    const control = controlIn(box.current)
    if (control && wrong.current !== null) setMended(contentOf(control) !== wrong.current && control.validity.valid)
  }
  return [{ ref: box, onInput }, isMended]
}

const controlIn = (box: HTMLElement | null) => box?.querySelector<Control>('input, select, textarea') ?? null

const contentOf = (control: Control) =>
  control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)
    ? String(control.checked)
    : control.value
