import { useEffect, useEffectEvent, useState } from 'react'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { storedInSession } from '../../accounts/web/session.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Claim, listClaims } from '../contract.ts'
import { storeCodes, updateStoredStates, storedCodes, withStates, type OfflineCodes } from './offline-codes.ts'

/** How often it is asked whether a shown code was redeemed. */
const lookAgainMs = 4000
/** The same of the list while none is shown: another phone may have got a code, or given one back. */
const lookAgainAtListMs = 20_000
const asked = { as: 'background', query: { limit: 50 } } as const

/** Asks for the codes and keeps them on this phone. */
export async function storeMyCodes(): Promise<void> {
  const before = storedInSession('myCodes')
  const { answer } = await ask(callByFetch, listClaims, asked)
  if (!answer) return
  // the list may be older than a code that was claimed meanwhile
  if (storedInSession('myCodes') !== before) return storeMyCodes()
  storeCodes(answer.body)
}

/** The list as far as it was opened in this page, for who comes back to it; of one session. */
let opened: { by: string | null; codes: OfflineCodes; next: string | null } | null = null
const ofThisSession = () => (opened?.by === storedInSession('authToken') ? opened : null)

/** What this phone has kept, which may be newer than what this page remembers, and what was opened below it. */
function known(): OfflineCodes | null {
  const kept = storedCodes()
  const before = ofThisSession()?.codes.claims ?? []
  const ids = new Set(kept?.claims.map(({ claim_id }) => claim_id))
  return kept && { ...kept, claims: [...kept.claims, ...before.filter(({ claim_id }) => !ids.has(claim_id))] }
}

/** Asks for at least so many codes, page by page, and keeps the first page on this phone. */
export async function loadCodes(most: number) {
  const { answer, refused } = await ask(callByFetch, listClaims, asked)
  if (!answer) return { codes: null, next: null, refused }
  const { claims, offsetMs } = storeCodes(answer.body)
  const all = [...claims]
  let { next } = answer
  while (next && all.length < most) {
    const older = await ask(callByFetch, listClaims, { ...asked, query: { ...asked.query, after: next } })
    if (!older.answer) break
    all.push(...older.answer.body)
    next = older.answer.next
  }
  return { codes: { claims: all, offsetMs }, next, refused }
}

/** Whether a later list has one that is not known here. */
export const hasNewClaim = (claims: Claim[], told: Claim[]): boolean => {
  const ids = new Set(claims.map(({ claim_id }) => claim_id))
  return told.some(({ claim_id }) => !ids.has(claim_id))
}

/**
 * The visitor's codes: first those that this phone has kept, then what the server says, asked again while the page is looked at.
 * `watched`: every few seconds, to tell that a shown code was redeemed.
 */
export function useCodes(watched: boolean) {
  const [codes, setCodes] = useState<OfflineCodes | null>(known)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [next, setNext] = useState<string | null>(() => ofThisSession()?.next ?? null)
  useEffect(() => {
    opened = codes && { by: storedInSession('authToken'), codes, next }
  }, [codes, next])
  const [isLoadingMore, setLoadingMore] = useState(false)
  const load = async () => {
    // what was opened stays open
    const { codes: told, next: after, refused } = await loadCodes(codes?.claims.length ?? 0)
    setRefused(refused)
    if (!told) return
    setNext(after)
    setCodes(told)
  }
  /** The list and the codes of this phone change together: without a network the phone offers no code that the list did not. */
  const updateStates = (told: Claim[]) => {
    updateStoredStates(told)
    setCodes((before) => before && { ...before, claims: withStates(before.claims, told) })
  }
  const look = async () => {
    const { answer } = await ask(callByFetch, listClaims, { ...asked, query: { ...asked.query, brief: true } })
    if (!answer) return
    updateStates(answer.body)
    // also where the list could not be loaded before
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
