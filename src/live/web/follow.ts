import { bearer, credentials, isTokenRefused } from '../../kit/browser/credentials.ts'
import { isObject } from '../../kit/browser/reading.ts'
import type { LiveEvent } from '../contract.ts'
import { readStream } from './read-stream.ts'

interface Follower {
  channels: readonly string[]
  changed: (event: LiveEvent) => void
  missed: () => void
  joined: () => void
}

/** A hidden page closes its connection after this time. */
const hiddenMs = 60_000
/** The server writes every 15 s: a connection that is silent for longer is dead. */
const silentMs = 40_000
const firstPauseMs = 2_000
const longestPauseMs = 60_000

const followers = new Set<Follower>()
/** The tab has one connection for all its followers. */
const connection = {
  running: null as AbortController | null,
  lastEventId: null as string | null,
  /** What `running` was opened for: guest or not, and its channels. */
  openedFor: '',
  /** A token that the server refused for good: the stream is a guest's until there is another token. */
  refusedToken: null as string | null,
  pauseMs: firstPauseMs,
  /** Closes the connection of a hidden page. */
  hiding: undefined as ReturnType<typeof setTimeout> | undefined,
}

/**
 * Calls `changed` for each event in these public channels and, when logged in, in one's own channel, while the page is visible.
 * The tab has one connection, which resumes after a break. `missed`: too much happened meanwhile, load again what is
 * shown. `joined`: the stream has begun; events from before it are not sent.
 * @returns a function that ends it
 */
export function follow(
  channels: readonly string[],
  {
    changed,
    missed = () => {},
    joined = () => {},
  }: { changed: (event: LiveEvent) => void; missed?: () => void; joined?: () => void },
): () => void {
  const follower = { channels, changed, missed, joined }
  followers.add(follower)
  if (followers.size === 1) addEventListeners()
  queueMicrotask(connect)
  return () => {
    followers.delete(follower)
    if (followers.size === 0) removeEventListeners()
    queueMicrotask(connect)
  }
}

function usableToken(): string | null {
  const token = credentials().token()
  return token === connection.refusedToken ? null : token
}

/** Opens a new connection if the channels, or who is logged in, have changed. */
function connect() {
  const channels = [...new Set([...followers].flatMap((each) => each.channels))].sort()
  const isGuest = usableToken() === null
  // only whether somebody is logged in counts: a renewed token keeps the stream
  const wanted = followers.size > 0 && (channels.length > 0 || !isGuest) ? `${isGuest}:${channels.join(',')}` : null
  if (connection.running && wanted === connection.openedFor) return
  connection.running?.abort()
  connection.running = null
  if (wanted === null) {
    connection.lastEventId = null
    return
  }
  // the last id belongs to the channels of before
  if (wanted !== connection.openedFor) connection.lastEventId = null
  connection.openedFor = wanted
  connection.running = new AbortController()
  void run(channels.join(','), connection.running)
}

async function run(channels: string, own: AbortController): Promise<void> {
  for (;;) {
    const goesOn = await stream(channels, own.signal).catch(() => true)
    if (own.signal.aborted) return
    if (!goesOn) {
      connection.running = null
      return
    }
    await new Promise((resolve) => setTimeout(resolve, connection.pauseMs * (0.75 + Math.random() / 2)))
    connection.pauseMs = Math.min(connection.pauseMs * 2, longestPauseMs)
    if (own.signal.aborted) return
  }
}

/** Reads one connection to its end. @returns false where a retry makes no sense */
async function stream(channels: string, ended: AbortSignal): Promise<boolean> {
  const either = new AbortController()
  const end = () => either.abort()
  let timer = setTimeout(end, silentMs)
  ended.addEventListener('abort', end)
  const isNew = connection.lastEventId === null
  try {
    const token = usableToken()
    const response = await fetch(`/api/stream${channels ? `?channels=${encodeURIComponent(channels)}` : ''}`, {
      headers: {
        ...bearer(token),
        ...(connection.lastEventId === null ? {} : { 'last-event-id': connection.lastEventId }),
      },
      signal: either.signal,
    })
    if (token !== null && isTokenRefused(response)) {
      await response.body?.cancel()
      const renewal = await credentials().renew(token)
      // public channels go on as a guest's
      if (renewal === 'ended' || renewal === 'none') {
        connection.refusedToken = token
        connect()
      }
      return true
    }
    if (!response.ok || !response.body) return response.status >= 429
    for await (const message of readStream(response.body)) {
      clearTimeout(timer)
      timer = setTimeout(end, silentMs)
      if (!message) continue
      connection.pauseMs = firstPauseMs
      connection.lastEventId = message.id
      if (message.event === 'open' && isNew) for (const { joined } of followers) joined()
      if (message.event === 'reset') for (const { missed } of followers) missed()
      if (message.event === 'changes') for (const event of eventsIn(message.data)) passOn(event)
    }
    return true
  } finally {
    clearTimeout(timer)
    ended.removeEventListener('abort', end)
  }
}

function passOn(event: LiveEvent) {
  for (const { channels, changed } of followers)
    if (channels.includes(event.channel) || event.channel.startsWith('account:')) changed(event)
}

function eventsIn(json: string): LiveEvent[] {
  const list: unknown = JSON.parse(json)
  return Array.isArray(list)
    ? list.filter(
        (each): each is LiveEvent => isObject(each) && typeof each['channel'] === 'string' && isObject(each['data']),
      )
    : []
}

function noticeVisibility() {
  clearTimeout(connection.hiding)
  if (document.hidden)
    connection.hiding = setTimeout(() => {
      connection.running?.abort()
      connection.running = null
    }, hiddenMs)
  else {
    connection.pauseMs = firstPauseMs
    connect()
  }
}

function begin() {
  connection.pauseMs = firstPauseMs
  connection.running?.abort()
  connection.running = null
  connect()
}

function addEventListeners() {
  document.addEventListener('visibilitychange', noticeVisibility)
  addEventListener('online', begin)
  addEventListener('storage', connect)
}

function removeEventListeners() {
  document.removeEventListener('visibilitychange', noticeVisibility)
  removeEventListener('online', begin)
  removeEventListener('storage', connect)
}
