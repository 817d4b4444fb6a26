import { useSyncExternalStore } from 'react'
import { isPage } from './is-page.ts'
import { cachedAtHeader } from './offline-caches.ts'
import { setServerTime } from './server-time.ts'

/** What a page knows of its connection. */
export interface Connection {
  isOffline: boolean
  /** When the server sent the data that the page shows, ISO; null: not known. */
  asOf: string | null
  /** Switches to the new version of the app that waits; null: none waits. */
  update: (() => void) | null
}

const timeoutMs = 4000
const firstPauseMs = 20_000
const longestPauseMs = 80_000

const online: Connection = { isOffline: false, asOf: null, update: null }
/** The connection of the page, and the timer that looks for the server while the page is offline. */
const page = { connection: online, pauseMs: firstPauseMs, timer: null as ReturnType<typeof setTimeout> | null }
const listeners = new Set<() => void>()

export function setConnection(more: Partial<Connection>): void {
  const before = page.connection
  const next = { ...before, ...more }
  if (next.isOffline === before.isOffline && next.asOf === before.asOf && next.update === before.update) return
  page.connection = next
  for (const listener of listeners) listener()
  checkLater()
}

/** The connection as the last answer showed it. */
export const currentConnection = (): Connection => page.connection

/** Updates the connection from an answer: of the network, or of the service worker's cache; null: no answer came. */
export function noteAnswer(answer: Response | null): void {
  const cachedAt = answer?.headers.get(cachedAtHeader)
  if (answer) setServerTime(answer)
  if (cachedAt) return setConnection({ isOffline: true, asOf: new Date(cachedAt).toISOString() })
  if (!answer) return setConnection({ isOffline: true })
  page.pauseMs = firstPauseMs
  setConnection({ isOffline: false, asOf: null })
}

/** The page shows an offline copy from `asOf` (ISO; null: not known), because no answer came. */
export const noteOfflineCopy = (asOf: string | null) => setConnection({ isOffline: true, ...(asOf && { asOf }) })

/** The connection, with a new render for each change. Online on the server and during hydration. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    follow,
    () => page.connection,
    () => online,
  )
}

/** Calls `callback` each time the network is back. @returns stops it */
export function onReconnect(callback: () => void): () => void {
  let { isOffline } = page.connection
  return follow(() => {
    const wasOffline = isOffline
    isOffline = page.connection.isOffline
    if (wasOffline && !isOffline) callback()
  })
}

const goOffline = () => setConnection({ isOffline: true })

function follow(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener('offline', goOffline)
    addEventListener('online', check)
  }
  listeners.add(listener)
  if (!navigator.onLine) queueMicrotask(goOffline)
  checkLater()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    removeEventListener('offline', goOffline)
    removeEventListener('online', check)
  }
}

/** Browsers report their own network only. Polling also notices a server that is back, or a Wi-Fi that has internet again. */
function checkLater() {
  // random, so that a server that comes back is not asked by all visitors at once
  if (page.connection.isOffline && listeners.size > 0)
    page.timer ??= setTimeout(checkAgain, page.pauseMs * (0.75 + Math.random() / 2))
}

function checkAgain() {
  page.timer = null
  page.pauseMs = Math.min(page.pauseMs * 2, longestPauseMs)
  void check()
}

async function check() {
  if (!page.connection.isOffline) return
  if (navigator.onLine && (await isServerReachable())) setConnection({ isOffline: false, asOf: null })
  else checkLater()
}

/** Whether the server answers within 4 s. The login page of a Wi-Fi does not count. */
export const isServerReachable = () =>
  fetch('/healthz', { signal: AbortSignal.timeout(timeoutMs) }).then(
    (answer) => answer.ok && !isPage(answer),
    () => false,
  )
