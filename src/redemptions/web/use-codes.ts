import { useEffect, useEffectEvent, useState } from 'react'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { storedInSession } from '../../accounts/web/session.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Claim, listClaims } from '../contract.ts'
import { storeCodes, updateStoredStates, storedCodes, withStates, type OfflineCodes } from './offline-codes.ts'

/** How often the page checks whether the shown code was redeemed. */
const lookAgainMs = 4000
/** The same for the list while no code is shown: another phone may have claimed or returned a code. */
const lookAgainAtListMs = 20_000
const request = { as: 'background', query: { limit: 50 } } as const

/** Loads the codes into the offline copy. */
export async function storeMyCodes(): Promise<void> {
  const before = storedInSession('myCodes')
  const { answer } = await ask(callByFetch, listClaims, request)
  if (!answer) return
  // a code was claimed meanwhile, which the answer may not have
  if (storedInSession('myCodes') !== before) return storeMyCodes()
  storeCodes(answer.body)
}

/**
 * The list as far as it was opened, for visitors who look at a deal and come back: React drops the state of a screen that is left.
 * Only for one session, whose token is `by`.
 */
let opened: { by: string | null; codes: OfflineCodes; next: string | null } | null = null
const ofThisSession = () => (opened?.by === storedInSession('authToken') ? opened : null)

/** The offline copy, which may be newer than `opened`, followed by the further claims in `opened`. */
function initialCodes(): OfflineCodes | null {
  const copy = storedCodes()
  const before = ofThisSession()?.codes.claims ?? []
  const ids = new Set(copy?.claims.map(({ claim_id }) => claim_id))
  return copy && { ...copy, claims: [...copy.claims, ...before.filter(({ claim_id }) => !ids.has(claim_id))] }
}

/** Loads at least `most` codes, page by page; the first page becomes the offline copy. */
export async function loadCodes(most: number) {
  const { answer, refused } = await ask(callByFetch, listClaims, request)
  if (!answer) return { codes: null, next: null, refused }
  const { claims, offsetMs } = storeCodes(answer.body)
  const all = [...claims]
  let { next } = answer
  while (next && all.length < most) {
    const older = await ask(callByFetch, listClaims, { ...request, query: { ...request.query, after: next } })
    if (!older.answer) break
    all.push(...older.answer.body)
    next = older.answer.next
  }
  return { codes: { claims: all, offsetMs }, next, refused }
}

/** Whether `list` has a claim that is not among `claims`. */
export const hasNewClaim = (claims: Claim[], list: Claim[]): boolean => {
  const ids = new Set(claims.map(({ claim_id }) => claim_id))
  return list.some(({ claim_id }) => !ids.has(claim_id))
}

/**
 * The visitor's codes: first the offline copy, then the server's answer, refreshed while the page is visible. `watched`: every few
 * seconds, because a code is on the screen.
 */
export function useCodes(watched: boolean) {
  const [codes, setCodes] = useState<OfflineCodes | null>(initialCodes)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [next, setNext] = useState<string | null>(() => ofThisSession()?.next ?? null)
  useEffect(() => {
    opened = codes && { by: storedInSession('authToken'), codes, next }
  }, [codes, next])
  const [isLoadingMore, setLoadingMore] = useState(false)
  const load = async () => {
    // loads as many as are open now
    const { codes: loaded, next: after, refused } = await loadCodes(codes?.claims.length ?? 0)
    setRefused(refused)
    if (!loaded) return
    setNext(after)
    setCodes(loaded)
  }
  /** List and offline copy change together, so that the phone offers the same codes without a network. */
  const updateStates = (list: Claim[]) => {
    updateStoredStates(list)
    setCodes((before) => before && { ...before, claims: withStates(before.claims, list) })
  }
  const look = async () => {
    const { answer } = await ask(callByFetch, listClaims, { ...request, query: { ...request.query, brief: true } })
    if (!answer) return
    updateStates(answer.body)
    // `codes` null: the list could not be loaded before
    if (!codes || hasNewClaim(codes.claims, answer.body)) return load()
  }
  const loadNow = useEffectEvent(() => void load())
  const lookNow = useEffectEvent(() => {
    if (!isLoadingMore) void look()
  })
  useEffect(() => {
    const first = setTimeout(loadNow)
    const again = () => {
      if (document.visibilityState === 'visible') loadNow()
    }
    document.addEventListener('visibilitychange', again)
    addEventListener('online', again)
    return () => {
      clearTimeout(first)
      document.removeEventListener('visibilitychange', again)
      removeEventListener('online', again)
    }
  }, [])
  useEffect(() => {
    const looking = setInterval(
      () => {
        if (document.visibilityState === 'visible') lookNow()
      },
      watched ? lookAgainMs : lookAgainAtListMs,
    )
    return () => clearInterval(looking)
  }, [watched])
  const more = async () => {
    if (!next) return
    setLoadingMore(true)
    const { answer, refused } = await ask(callByFetch, listClaims, { as: 'action', query: { limit: 50, after: next } })
    setLoadingMore(false)
    setRefused(refused)
    if (!answer) return
    setNext(answer.next)
    setCodes((before) => ({ offsetMs: before?.offsetMs ?? 0, claims: [...(before?.claims ?? []), ...answer.body] }))
  }
  return { codes, refused, load, updateStates, more: next === null ? null : more, isLoadingMore }
}
