import { useSyncExternalStore } from 'react'
import { isPage } from './is-page.ts'
import { cachedAtHeader } from './offline-caches.ts'

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
  lookLater()
}

/** As the last answer has left it. */
export const currentConnection = (): Connection => connection

/** Looks at an answer: whether it comes from the network, or was kept by the service worker, and when; null: none came. */
export function noteAnswer(answer: Response | null): void {
  const keptAt = answer?.headers.get(cachedAtHeader)
  if (keptAt) return setConnection({ isOffline: true, asOf: new Date(keptAt).toISOString() })
  if (!answer) return setConnection({ isOffline: true })
  pauseMs = firstPauseMs
  setConnection({ isOffline: false, asOf: null })
}

/** Something kept by the page itself is shown, because no answer came. */
export const noteOfflineCopy = (asOf: string | null) => setConnection({ isOffline: true, ...(asOf && { asOf }) })

/** Followed; online on the server and while its page is taken over. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    follow,
    () => connection,
    () => online,
  )
}

/** Calls `tell` when the network is back. @returns what ends it */
export function onReconnect(tell: () => void): () => void {
  let { isOffline } = connection
  return follow(() => {
    const wasOffline = isOffline
    isOffline = connection.isOffline
    if (wasOffline && !isOffline) tell()
  })
}

const goOffline = () => setConnection({ isOffline: true })

function follow(tell: () => void): () => void {
  // of the browser, once for all who follow
  if (listeners.size === 0) {
    addEventListener('offline', goOffline)
    addEventListener('online', look)
  }
  listeners.add(tell)
  if (!navigator.onLine) queueMicrotask(goOffline)
  lookLater()
  return () => {
    listeners.delete(tell)
    if (listeners.size > 0) return
    removeEventListener('offline', goOffline)
    removeEventListener('online', look)
  }
}

const patienceMs = 4000
const firstPauseMs = 20_000
const longestPauseMs = 80_000
let pauseMs = firstPauseMs
let timer: ReturnType<typeof setTimeout> | null = null

/** Browsers tell only of their own network: a server that was away, or a Wi-Fi without internet, is asked now and then. */
function lookLater() {
  // never the same for all visitors: a server that comes back is not asked by all at once
  if (connection.isOffline && listeners.size > 0) timer ??= setTimeout(lookAgain, pauseMs * (0.75 + Math.random() / 2))
}

function lookAgain() {
  timer = null
  pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  void look()
}

async function look() {
  if (!connection.isOffline) return
  if (navigator.onLine && (await isServerReachable())) setConnection({ isOffline: false, asOf: null })
  else lookLater()
}

export const isServerReachable = () =>
  fetch('/healthz', { signal: AbortSignal.timeout(patienceMs) }).then(
    (answer) => answer.ok && !isPage(answer),
    () => false,
  )
