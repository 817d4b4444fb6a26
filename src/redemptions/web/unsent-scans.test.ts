import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let answer: (asked: { payload?: string }) => Response
beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('document', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('fetch', async (_: string, { body }: { body?: string } = {}) => answer(JSON.parse(body ?? '{}')))
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const scan = {
  key: 'k'.repeat(20),
  business_id: 'bar',
  device_id: 'till',
  code: null,
  payload: 'RK1:x',
  amount_chf: 5,
  scanned_at: '2026-06-20T20:00:00Z',
  clock_offset_ms: 0,
  conflict: null,
}

it('a stored scan that a proxy refuses with a page of its own is sent again later; our own refusal is a conflict', async () => {
  const { changeScans, scansOf, sendScans } = await import('./unsent-scans.ts')
  const { tillOfBusiness } = await import('./till.ts')
  const till = tillOfBusiness('bar', { device_id: 'till', business_id: 'bar', name: 'Till', secret: null })
  changeScans(() => [scan])
  answer = () => new Response('<h1>Request timeout</h1>', { status: 408, headers: { 'content-type': 'text/html' } })
  expect(await sendScans(till)).toBe('later')
  expect(scansOf(till)).toEqual([scan])
  answer = () => Response.json({ error: 'Used already.', code: 'already_redeemed' }, { status: 409 })
  expect(await sendScans(till)).toBe('done')
  expect(scansOf(till)).toMatchObject([{ key: scan.key, conflict: 'already_redeemed' }])
})

it('one that is refused each time holds up none of those behind it', async () => {
  const { changeScans, scansOf, sendScans } = await import('./unsent-scans.ts')
  const { tillOfBusiness } = await import('./till.ts')
  const till = tillOfBusiness('bar', { device_id: 'till', business_id: 'bar', name: 'Till', secret: null })
  changeScans(() => [scan, { ...scan, key: 'l'.repeat(20), payload: 'RK1:y' }])
  answer = ({ payload }) =>
    payload === scan.payload
      ? new Response('<h1>Blocked</h1>', { status: 406, headers: { 'content-type': 'text/html' } })
      : Response.json({ error: 'Used already.', code: 'already_redeemed' }, { status: 409 })
  expect(await sendScans(till)).toBe('later')
  expect(scansOf(till)).toMatchObject([
    { key: scan.key, conflict: null },
    { payload: 'RK1:y', conflict: 'already_redeemed' },
  ])
})

it('typed digits that wait after too many wrong ones hold up no QR code behind them', async () => {
  const { changeScans, scansOf, sendScans } = await import('./unsent-scans.ts')
  const { tillOfBusiness } = await import('./till.ts')
  const till = tillOfBusiness('bar', { device_id: 'till', business_id: 'bar', name: 'Till', secret: null })
  const digits = { ...scan, code: '111111', payload: null }
  changeScans(() => [digits, { ...scan, key: 'l'.repeat(20) }])
  answer = ({ payload }) =>
    payload === undefined
      ? Response.json({ error: 'Too many wrong codes.', code: 'too_many_wrong_codes' }, { status: 429 })
      : Response.json({ redemption_id: 'r' }, { status: 201 })
  expect(await sendScans(till)).toBe('later')
  expect(scansOf(till)).toEqual([digits])
})

it.each([
  ['the same QR code', { payload: `RK1:${'A'.repeat(32)}:111111` }, 5, true],
  ['the QR code of the same claim an hour later', { payload: `rk1:${'a'.repeat(32)}:222222` }, 3600, true],
  ['its digits while they are shown', { code: '111111' }, 20, true],
  ['the same digits later', { code: '111111' }, 3600, false],
  ['the QR code of another claim with the same digits', { payload: `RK1:${'B'.repeat(32)}:111111` }, 5, false],
  ['other digits', { code: '333333' }, 5, false],
])('a scan that is not sent yet and %s', async (_, given, laterS, isSame) => {
  const { changeScans, scannedBefore } = await import('./unsent-scans.ts')
  const first = { ...scan, payload: `RK1:${'A'.repeat(32)}:111111` }
  const till = { businessId: 'bar', deviceId: 'till', redeemOnly: false }
  const at = new Date(Date.parse(scan.scanned_at) + laterS * 1000).toISOString()
  changeScans(() => [first])
  expect(scannedBefore(till, given, at)).toEqual(isSame ? first : undefined)
  // what the server has refused does not hold up another try
  changeScans(() => [{ ...first, conflict: 'code_unknown' }])
  expect(scannedBefore(till, given, at)).toBeUndefined()
})
