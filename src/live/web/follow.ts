import { bearer, credentials, isTokenRefused } from '../../kit/browser/credentials.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { readStream } from './read-stream.ts'

/** Something that was told in a channel. */
export interface Change {
  channel: string
  kind: string
  data: Record<string, unknown>
}

interface Follower {
  channels: readonly string[]
  changed: (change: Change) => void
  missed: () => void
  joined: () => void
}

/** A page that nobody looks at gives its connection back after so long. */
const hiddenMs = 60_000
/** The server beats every 15 s; who is silent for longer is gone. */
const silentMs = 40_000
const firstPauseMs = 2_000
const longestPauseMs = 60_000

const followers = new Set<Follower>()
let running: AbortController | null = null
let lastEventId: string | null = null
let asked = ''
/** A token that the server has refused for good; the page is a guest's until there is another. */
let refusedToken: string | null = null
let pauseMs = firstPauseMs

/**
 * Tells of changes in these public channels, and in one's own channel when logged in, while the page is looked at: one
 * connection for the whole tab, which goes on after a break where it ended. `missed`: too much has happened meanwhile, so
 * what is shown must be asked for anew. `joined`: changes are told from now on, those before this page's stream were not.
 * @returns what ends it
 */
export function follow(
  channels: readonly string[],
  {
    changed,
    missed = () => {},
    joined = () => {},
  }: { changed: (change: Change) => void; missed?: () => void; joined?: () => void },
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
  return token === refusedToken ? null : token
}

/** A connection for what is followed now, if it is another one than before. */
function connect() {
  const channels = [...new Set([...followers].flatMap((each) => each.channels))].sort()
  const isGuest = usableToken() === null
  // whether somebody is logged in counts too; a renewed token is no other stream
  const wanted = followers.size > 0 && (channels.length > 0 || !isGuest) ? `${isGuest}:${channels.join(',')}` : null
  if (running && wanted === asked) return
  running?.abort()
  running = null
  if (wanted === null) {
    lastEventId = null
    return
  }
  // other channels than before: their past is not this stream's
  if (wanted !== asked) lastEventId = null
  asked = wanted
  running = new AbortController()
  void run(channels.join(','), running)
}

async function run(channels: string, own: AbortController): Promise<void> {
  for (;;) {
    const goesOn = await stream(channels, own.signal).catch(() => true)
    if (own.signal.aborted) return
    if (!goesOn) {
      running = null
      return
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.75 + Math.random() / 2)))
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    if (own.signal.aborted) return
  }
}

/** False where another try makes no sense. */
async function stream(channels: string, ended: AbortSignal): Promise<boolean> {
  const either = new AbortController()
  const end = () => either.abort()
  let timer = setTimeout(end, silentMs)
  ended.addEventListener('abort', end)
  const isNew = lastEventId === null
  try {
    const token = usableToken()
    const response = await fetch(`/api/stream${channels ? `?channels=${encodeURIComponent(channels)}` : ''}`, {
      headers: { ...bearer(token), ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }) },
      signal: either.signal,
    })
    if (token !== null && isTokenRefused(response)) {
      await response.body?.cancel()
      const renewal = await credentials().renew(token)
      // what everybody may hear goes on
      if (renewal === 'ended' || renewal === 'none') {
        refusedToken = token
        connect()
      }
      return true
    }
    if (!response.ok || !response.body) return response.status >= 429
    for await (const message of readStream(response.body)) {
      clearTimeout(timer)
      timer = setTimeout(end, silentMs)
      if (!message) continue
      pauseMs = firstPauseMs
      lastEventId = message.id
      if (message.event === 'open' && isNew) for (const { joined } of followers) joined()
      if (message.event === 'reset') for (const { missed } of followers) missed()
      if (message.event === 'changes') for (const change of changesIn(message.data)) tell(change)
    }
    return true
  } finally {
    clearTimeout(timer)
    ended.removeEventListener('abort', end)
  }
}

function tell(change: Change) {
  for (const { channels, changed } of followers)
    if (channels.includes(change.channel) || change.channel.startsWith('account:')) changed(change)
}

function changesIn(json: string): Change[] {
  const list: unknown = JSON.parse(json)
  return Array.isArray(list)
    ? list.filter(
        (each): each is Change => isObject(each) && typeof each['channel'] === 'string' && isObject(each['data']),
      )
    : []
}

let hiding: ReturnType<typeof setTimeout> | undefined

function lookAtPage() {
  clearTimeout(hiding)
  if (document.hidden)
    hiding = setTimeout(() => {
      running?.abort()
      running = null
    }, hiddenMs)
  else {
    pauseMs = firstPauseMs
    connect()
  }
}

function begin() {
  pauseMs = firstPauseMs
  running?.abort()
  running = null
  connect()
}

function addEventListeners() {
  document.addEventListener('visibilitychange', lookAtPage)
  addEventListener('online', begin)
  addEventListener('storage', connect)
}

function removeEventListeners() {
  document.removeEventListener('visibilitychange', lookAtPage)
  removeEventListener('online', begin)
  removeEventListener('storage', connect)
}
