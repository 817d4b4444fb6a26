import { createContext, startTransition, Suspense, use, useEffect, useState, type ReactNode } from 'react'

/** A thing that can be saved as a favourite or in the schedule. */
export interface Savable {
  kind: string
  id: string
  name: string
  /** A button with its label, as wide as its container, instead of a heart. */
  wide?: boolean
}

/** Draws the save button. The app sets it, because cards of lower rooms may not import the rooms that save. */
export const SaveContext = createContext<((thing: Savable) => ReactNode) | null>(null)

/** The place of the save button in the corner of a picture; empty without JavaScript or without `SaveContext`. */
export function SaveSlot(thing: Savable) {
  const saveButton = use(SaveContext)
  const [isReady, setReady] = useState(false)
  // after everything else is painted: a list has dozens of buttons, and a new page must load their code first
  useEffect(() => startTransition(() => setReady(true)), [])
  const button = saveButton && isReady && <Suspense>{saveButton(thing)}</Suspense>
  // a wide one moves nothing when it appears
  return thing.wide ? <div className="grid min-h-14 noscript:hidden">{button}</div> : button
}
