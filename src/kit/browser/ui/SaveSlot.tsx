import { createContext, startTransition, Suspense, use, useEffect, useState, type ReactNode } from 'react'

/** Something that can be saved for later. */
export interface Savable {
  kind: string
  id: string
  /** As people know it. */
  name: string
}

/** The button that saves, put here by the app: cards and pages of lower rooms do not know who keeps what is saved. */
export const SaveContext = createContext<((thing: Savable) => ReactNode) | null>(null)

/** A place for that button in the corner of a picture. Without JavaScript, and where nothing can be saved, it is empty. */
export function SaveSlot(thing: Savable) {
  const saveButton = use(SaveContext)
  const [isAlive, setAlive] = useState(false)
  // in steps, after all else is painted: a list has dozens, and their code is still to come when a page is new
  useEffect(() => startTransition(() => setAlive(true)), [])
  if (!saveButton || !isAlive) return null
  return <Suspense>{saveButton(thing)}</Suspense>
}
