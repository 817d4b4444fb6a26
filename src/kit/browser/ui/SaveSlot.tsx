import {
  createContext,
  startTransition,
  Suspense,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'

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
  const isTime = useTime()
  if (!saveButton || !isTime) return null
  return <Suspense>{saveButton(thing)}</Suspense>
}

let areKnown = false
const never = () => () => {}

/**
 * On the page that comes from the server they are drawn in steps, once all else is alive: there may be dozens, and their code
 * is still to come. On later ones they are there at once.
 */
function useTime(): boolean {
  const isLater = useSyncExternalStore(
    never,
    () => areKnown,
    () => false,
  )
  const [isAlive, setAlive] = useState(false)
  useEffect(() => {
    areKnown = true
    startTransition(() => setAlive(true))
  }, [])
  return isLater || isAlive
}
