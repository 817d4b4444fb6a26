import { useEffect, useEffectEvent, useRef } from 'react'

/** A button that is shut while it sends loses the focus, which goes on at `target` once that is done, unless it has gone elsewhere. */
export function useFocusAfter(isBusy: boolean, target: () => HTMLElement | null): void {
  const wasBusy = useRef(isBusy)
  const goOn = useEffectEvent(() => target()?.focus({ preventScroll: true }))
  useEffect(() => {
    if (wasBusy.current && !isBusy && document.activeElement === document.body) goOn()
    wasBusy.current = isBusy
  }, [isBusy])
}
