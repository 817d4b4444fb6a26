import { useEffect, useEffectEvent, useRef } from 'react'

/** Focuses `target` after sending: a button loses the focus when it is disabled. A focus that moved elsewhere stays there. */
export function useFocusAfter(isBusy: boolean, target: () => HTMLElement | null): void {
  const wasBusy = useRef(isBusy)
  const goOn = useEffectEvent(() => target()?.focus({ preventScroll: true }))
  useEffect(() => {
    if (wasBusy.current && !isBusy && document.activeElement === document.body) goOn()
    wasBusy.current = isBusy
  }, [isBusy])
}
