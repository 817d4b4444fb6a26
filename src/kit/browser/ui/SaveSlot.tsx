import { createContext, Suspense, use, type ReactNode } from 'react'
import { useHydrated } from '../hydrated.ts'

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
  const isAlive = useHydrated()
  if (!saveButton || !isAlive) return null
  return <Suspense>{saveButton(thing)}</Suspense>
}
