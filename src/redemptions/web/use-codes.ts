import { useEffect, useEffectEvent, useState } from 'react'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { storedInSession } from '../../accounts/web/session.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Claim, listClaims } from '../contract.ts'
import { storeCodes, updateStoredStates, storedCodes, withStates, type OfflineCodes } from './offline-codes.ts'

/** How often the page checks whether the shown code was redeemed. */
const lookAgainMs = 4000
/** How often the list is checked while no code is shown: another phone may have claimed or returned a code. */
const lookAgainAtListMs = 20_000
const request = { as: 'background', query: { limit: 50 } } as const

/** Loads the visitor's codes and stores them as the offline copy. */
export async function loadOfflineCodes(): Promise<void> {
  const before = storedInSession('myCodes')
  const { answer } = await ask(callByFetch, listClaims, request)
  if (!answer) return
  // the offline copy changed meanwhile: the answer may lack a code that was just claimed, so ask again
  if (storedInSession('myCodes') !== before) return loadOfflineCodes()
  storeCodes(answer.body)
}

/**
 * The pages of the list that were loaded, so that they are still there when a visitor looks at a deal and comes back.
 * `by`: token of the session to which the codes belong; another session does not get them.
 */
let opened: { by: string | null; codes: OfflineCodes; next: string | null } | null = null
const ofThisSession = () => (opened?.by === storedInSession('authToken') ? opened : null)

/** The offline copy, because it may be newer, then the claims that only `opened` has. */
function initialCodes(): OfflineCodes | null {
  const copy = storedCodes()
  const before = ofThisSession()?.codes.claims ?? []
  const ids = new Set(copy?.claims.map(({ claim_id }) => claim_id))
  return copy && { ...copy, claims: [...copy.claims, ...before.filter(({ claim_id }) => !ids.has(claim_id))] }
}

/** Loads pages until there are at least `least` codes; the first page becomes the offline copy. */
export async function loadCodes(least: number) {
  const { answer, refused } = await ask(callByFetch, listClaims, request)
  if (!answer) return { codes: null, next: null, refused }
  const { claims, offsetMs } = storeCodes(answer.body)
  const all = [...claims]
  let { next } = answer
  while (next && all.length < least) {
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
 * The visitor's codes: first the offline copy, then the server's answer, refreshed while the page is visible.
 * @param watched a code is on the screen, so its state is checked every few seconds
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
    // reload all pages that are shown, not only the first
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
