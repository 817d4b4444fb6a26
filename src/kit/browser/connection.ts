import { useSyncExternalStore } from 'react'
import { keptAtHeader } from './kept-answers.ts'

/** What a page knows of its connection. */
export interface Connection {
  isOffline: boolean
  /** When what is shown was true, ISO; null: not known. */
  asOf: string | null
  /** A newer version of the app has come and waits; null: none. */
  update: (() => void) | null
}

const online: Connection = { isOffline: false, asOf: null, update: null }
let connection = online
const listeners = new Set<() => void>()

export function setConnection(more: Partial<Connection>): void {
  const next = { ...connection, ...more }
  if (next.isOffline === connection.isOffline && next.asOf === connection.asOf && next.update === connection.update)
    return
  connection = next
  for (const tell of listeners) tell()
}

/** As the last answer has left it. */
export const currentConnection = (): Connection => connection

/** Looks at an answer: whether it comes from the network, or was kept by the service worker, and when; null: none came. */
export function noteAnswer(answer: Response | null): void {
  const keptAt = answer?.headers.get(keptAtHeader)
  if (keptAt) setConnection({ isOffline: true, asOf: new Date(keptAt).toISOString() })
  else if (answer) setConnection({ isOffline: false, asOf: null })
  else setConnection({ isOffline: true })
}

/** Something kept by the page itself is shown, because no answer came. */
export const noteKept = (asOf: string | null) => setConnection({ isOffline: true, ...(asOf && { asOf }) })

/** Followed; online on the server and while its page is taken over. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    follow,
    () => connection,
    () => online,
  )
}

function follow(tell: () => void): () => void {
  listeners.add(tell)
  const goOffline = () => setConnection({ isOffline: true })
  // whether the server can be reached, the next answer says
  const comeBack = () => setConnection({ isOffline: false, asOf: null })
  addEventListener('offline', goOffline)
  addEventListener('online', comeBack)
  if (!navigator.onLine) queueMicrotask(goOffline)
  return () => {
    listeners.delete(tell)
    removeEventListener('offline', goOffline)
    removeEventListener('online', comeBack)
  }
}
