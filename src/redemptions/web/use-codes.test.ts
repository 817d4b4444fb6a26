import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  const stored = new Map([
    ['authToken', 'lena'],
    ['userType', 'user'],
  ])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

it('a code that was just claimed stays in the offline copy when an older list comes later', async () => {
  const claim = { claim_id: 'claim-1', deal_id: 'deal-1', state: 'open', server_now: '2026-06-20T20:00:00Z' }
  const older = Promise.withResolvers<Response>()
  let lists = 0
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method === 'POST') return Response.json(claim, { status: 201 })
    return lists++ === 0 ? older.promise : Response.json([claim])
  })
  const { loadOfflineCodes } = await import('./use-codes.ts')
  const { claimCode } = await import('./own-claims.ts')
  const { storedCodes } = await import('./offline-codes.ts')
  const storing = loadOfflineCodes()
  expect(await claimCode('deal-1')).toMatchObject({ claim: { claim_id: 'claim-1' } })
  older.resolve(Response.json([]))
  await storing
  expect(storedCodes()?.claims).toMatchObject([{ claim_id: 'claim-1' }])
})

it('a code that is redeemed while it is shown says when', async () => {
  const { storeCodes, updateStoredStates, storedCodes } = await import('./offline-codes.ts')
  const { readable } = await import('../../kit/browser/ask.ts')
  const { claimDeal } = await import('../contract.ts')
  const claim = (more: object) =>
    readable(claimDeal).read({ claim_id: 'claim-1', deal_id: 'deal-1', state: 'open', codes: '123456', ...more })!
  storeCodes([claim({})])
  updateStoredStates([claim({ state: 'redeemed', redeemed_at: '2026-06-20T20:10:00.000Z', codes: null })])
  expect(storedCodes()?.claims).toMatchObject([
    { state: 'redeemed', redeemed_at: '2026-06-20T20:10:00.000Z', codes: '123456' },
  ])
})

it('older codes that were opened stay when the list is reloaded', async () => {
  const claimsOf = (from: number) =>
    Array.from({ length: 50 }, (_, n) => ({ claim_id: `claim-${from + n}`, deal_id: 'deal-1', state: 'expired' }))
  vi.stubGlobal('location', { origin: 'https://example.org' })
  vi.stubGlobal('fetch', async (address: string) => {
    const after = Number(new URL(address, location.origin).searchParams.get('after') ?? 0)
    const link = `</api/claims?after=${after + 50}>; rel="next"`
    return Response.json(claimsOf(after), { headers: { link } })
  })
  const { loadCodes } = await import('./use-codes.ts')
  const { storedCodes } = await import('./offline-codes.ts')
  const { codes, next } = await loadCodes(80)
  expect([codes?.claims.length, next]).toEqual([100, '100'])
  expect(storedCodes()?.claims).toHaveLength(50)
  expect((await loadCodes(0)).codes?.claims).toHaveLength(50)
})

it('a brief list with an unknown code loads the codes again, one with known codes does not', async () => {
  const { hasNewClaim } = await import('./use-codes.ts')
  const { readable } = await import('../../kit/browser/ask.ts')
  const { claimDeal } = await import('../contract.ts')
  const claim = (claim_id: string, state = 'open') => readable(claimDeal).read({ claim_id, deal_id: 'deal-1', state })!
  const known = [claim('a'), claim('b')]
  expect(hasNewClaim(known, [claim('b', 'redeemed'), claim('a')])).toBe(false)
  expect(hasNewClaim(known, [])).toBe(false)
  expect(hasNewClaim(known, [claim('c'), claim('a')])).toBe(true)
})
