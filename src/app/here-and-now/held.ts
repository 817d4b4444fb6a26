import { useEffect, useMemo } from 'react'
import { isStaff } from '../../accounts/policy.ts'
import { storeInSession, useSession, useStored } from '../../accounts/web/session.ts'
import { useUnverified } from '../../accounts/web/unverified.ts'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useConnection } from '../../kit/browser/connection.ts'
import { scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
import { isObject, number } from '../../kit/browser/reading.ts'
import { serverTime } from '../../kit/browser/server-time.ts'
import { tabStorage } from '../../kit/browser/storage.ts'
import { useOutbox } from '../../kit/browser/use-outbox.ts'
import { listClaims, redeemedTonight } from '../../redemptions/contract.ts'
import { storeCodes, storedCodes } from '../../redemptions/web/offline-codes.ts'
import { followSchedule, renew, storedEntries, type EventPick } from '../../schedule/web/my-schedule.ts'
import { festivalDayAt } from '../../schedule/times.ts'
import type { ScheduleEntry } from '../../schedule/contract.ts'
import type { Held, HeldCode, HeldEvent, Tonight } from './needed-now.ts'

/** The requests of the page itself go first. */
const patienceMs = 5_000
/** Older figures of a till are asked for again. */
const figureMs = 3 * 60_000
const codesAsked = 'rheinklang-codes-asked'

/**
 * What the person at this phone saved and holds, from the offline copies. Asks the server for what has no copy here yet, and for the
 * figures of a till some minutes later.
 */
export function useHeld(): Held {
  const session = useSession()
  const codes = useCodes()
  const saved = useSavedEvents()
  const tonight = useTonight(session === 'business')
  useMissingCopies(session === 'user')
  if (session === 'business') return { codes: [], events: [], till: { tonight } }
  return { codes: session === 'user' ? codes : [], events: saved, till: null }
}

function useCodes(): HeldCode[] {
  const text = useStored('myCodes')
  return useMemo(() => {
    const claims = (text && storedCodes()?.claims) || []
    return claims
      .filter(({ state }) => state === 'open')
      .map(({ claim_id, deal_name, usable_from, expires_at }) => ({
        claimId: claim_id,
        deal: deal_name,
        usableFrom: usable_from,
        until: expires_at,
      }))
  }, [text])
}

function useSavedEvents(): HeldEvent[] {
  const session = useSession()
  const picks = usePicks<EventPick>(scheduleOutbox)
  const entries = useOutbox(storedEntries, null, followSchedule)
  return session === 'guest' ? picks.map(ofPick) : (entries ?? []).map(ofEntry)
}

const ofPick = ({ id, title, starts_at, all_day, place }: EventPick): HeldEvent => ({
  eventId: id,
  title,
  startsAt: starts_at,
  isCancelled: false,
  isAllDay: all_day ?? false,
  place: place ?? null,
})

const ofEntry = ({ event }: ScheduleEntry): HeldEvent => ({
  eventId: event.event_id,
  title: event.title,
  startsAt: event.starts_at,
  isCancelled: event.status === 'cancelled',
  isAllDay: event.all_day,
  place: event.venue,
})

/** On a phone that somebody has just logged in on. */
function useMissingCopies(isWanted: boolean) {
  const hasEntries = useOutbox(() => storedEntries() !== null, true, followSchedule)
  const hasCodes = useStored('myCodes') !== null
  const { isOffline } = useConnection()
  // staff hold no codes
  const isStaffHere = isStaff(useStored('userType') ?? '')
  const mayAskCodes = !useUnverified() && !hasCodes && !isStaffHere
  useEffect(() => {
    if (!isWanted || isOffline) return
    const timer = setTimeout(() => {
      if (!hasEntries) void renew()
      if (mayAskCodes && tabStorage.get(codesAsked) === null) void askCodes()
    }, patienceMs)
    return () => clearTimeout(timer)
  }, [isWanted, isOffline, hasEntries, mayAskCodes])
}

async function askCodes() {
  tabStorage.set(codesAsked, 'yes')
  const { answer } = await ask(callByFetch, listClaims, { as: 'background', query: { limit: 20 } })
  if (answer && answer.body.length > 0) storeCodes(answer.body)
}

/** The stored figures of this night; null: none yet. */
function useTonight(isWanted: boolean): Tonight | null {
  const text = useStored('myTonight')
  const figures = useMemo(() => readFigures(text), [text])
  const at = figures?.at ?? 0
  const { isOffline } = useConnection()
  useEffect(() => {
    if (!isWanted || isOffline || serverTime() - at < figureMs) return
    const timer = setTimeout(() => void askTonight(), patienceMs)
    return () => clearTimeout(timer)
  }, [isWanted, isOffline, at])
  const zone = document.documentElement.dataset['zone'] ?? 'Europe/Zurich'
  return figures && festivalDayAt(zone, figures.at) === festivalDayAt(zone, serverTime()) ? figures : null
}

async function askTonight() {
  const { answer } = await ask(callByFetch, redeemedTonight, { as: 'background' })
  if (!answer) return
  const { redeemed, amount_chf } = answer.body
  storeInSession({ myTonight: JSON.stringify({ at: serverTime(), redeemed, chf: amount_chf }) })
}

function readFigures(text: string | null): (Tonight & { at: number }) | null {
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    if (!isObject(stored)) return null
    const [at, redeemed, chf] = ['at', 'redeemed', 'chf'].map((name) => number(stored[name]))
    return at && typeof redeemed === 'number' && typeof chf === 'number' ? { at, redeemed, chf } : null
  } catch {
    return null
  }
}
