import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'

let stored: Storage
let answer: (asked: { payload?: string }) => Response
beforeEach(() => {
  stored = StoredHere.of()
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('localStorage', stored)
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

it('a scan that a proxy refuses with a page of its own is sent again later; a refusal by our server is a conflict', async () => {
  const { addScan, scansOf, sendScans } = await import('./unsent-scans.ts')
  const { tillOfBusiness } = await import('./till.ts')
  const till = tillOfBusiness('bar', { device_id: 'till', business_id: 'bar', name: 'Till', secret: null })
  addScan(scan)
  answer = () => new Response('<h1>Request timeout</h1>', { status: 408, headers: { 'content-type': 'text/html' } })
  expect(await sendScans(till)).toBe('later')
  expect(scansOf(till)).toEqual([scan])
  answer = () => Response.json({ error: 'Used already.', code: 'already_redeemed' }, { status: 409 })
  expect(await sendScans(till)).toBe('done')
  expect(scansOf(till)).toMatchObject([{ key: scan.key, conflict: 'already_redeemed' }])
})

it('a scan that is refused each time does not hold up the scans behind it', async () => {
  const { addScan, scansOf, sendScans } = await import('./unsent-scans.ts')
  const { tillOfBusiness } = await import('./till.ts')
  const till = tillOfBusiness('bar', { device_id: 'till', business_id: 'bar', name: 'Till', secret: null })
  addScan(scan)
  addScan({ ...scan, key: 'l'.repeat(20), payload: 'RK1:y' })
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

it('typed digits that wait after too many wrong ones do not hold up QR codes behind them', async () => {
  const { addScan, scansOf, sendScans } = await import('./unsent-scans.ts')
  const { tillOfBusiness } = await import('./till.ts')
  const till = tillOfBusiness('bar', { device_id: 'till', business_id: 'bar', name: 'Till', secret: null })
  const digits = { ...scan, code: '111111', payload: null }
  addScan(digits)
  addScan({ ...scan, key: 'l'.repeat(20) })
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
  const { addScan, dismissScan, scannedBefore } = await import('./unsent-scans.ts')
  const first = { ...scan, payload: `RK1:${'A'.repeat(32)}:111111` }
  const till = { businessId: 'bar', deviceId: 'till', redeemOnly: false }
  const at = new Date(Date.parse(scan.scanned_at) + laterS * 1000).toISOString()
  addScan(first)
  expect(scannedBefore(till, given, at)).toEqual(isSame ? first : undefined)
  // a refused scan does not keep the code from being scanned again
  dismissScan(first.key)
  addScan({ ...first, conflict: 'code_unknown' })
  expect(scannedBefore(till, given, at)).toBeUndefined()
})

const till = async () => {
  const { tillOfBusiness } = await import('./till.ts')
  return tillOfBusiness('bar', { device_id: 'till', business_id: 'bar', name: 'Till', secret: null })
}

it('a scan that is refused with 403 holds up no other, and becomes a conflict after 12 hours, which can be dismissed', async () => {
  const { addScan, dismissScan, scansOf, sendScans } = await import('./unsent-scans.ts')
  const at = await till()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-21T09:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  addScan(scan)
  answer = () => Response.json({ error: 'Not allowed.', code: 'forbidden' }, { status: 403 })
  expect(await sendScans(at)).toBe('later')
  vi.setSystemTime(Date.parse('2026-06-21T20:59:00Z'))
  expect(await sendScans(at)).toBe('later')
  expect(scansOf(at)).toEqual([scan])
  vi.setSystemTime(Date.parse('2026-06-21T21:00:00Z'))
  expect(await sendScans(at)).toBe('done')
  expect(scansOf(at)).toMatchObject([{ key: scan.key, conflict: 'forbidden' }])
  dismissScan(scan.key)
  expect([scansOf(at), Object.keys(stored)]).toEqual([[], []])
})

it('an expired session stops sending, and the answer says so', async () => {
  const { addScan, scansOf, sendScans } = await import('./unsent-scans.ts')
  const at = await till()
  addScan(scan)
  addScan({ ...scan, key: 'l'.repeat(20), payload: 'RK1:y' })
  let asked = 0
  answer = () => (asked++, Response.json({ error: 'Log in.', code: 'unauthenticated' }, { status: 401 }))
  expect(await sendScans(at)).toBe('over')
  expect([asked, scansOf(at).length]).toEqual([1, 2])
})

it('a scan with an unknown clock offset waits until the offset is measured, and stores it', async () => {
  const { addScan, scansOf, sendScans } = await import('./unsent-scans.ts')
  const at = await till()
  addScan({ ...scan, clock_offset_ms: null })
  const sent: unknown[] = []
  answer = (body) => {
    if ('payload' in body) {
      sent.push(body)
      return Response.json({ error: 'Used already.', code: 'already_redeemed' }, { status: 409 })
    }
    return Response.json({}, { status: 503 })
  }
  expect([await sendScans(at), sent]).toEqual(['later', []])
  const busy = answer
  answer = (body) => ('payload' in body ? busy(body) : Response.json({ server_now: new Date().toISOString() }))
  expect(await sendScans(at)).toBe('done')
  expect(sent).toHaveLength(1)
  expect(scansOf(at)[0]?.clock_offset_ms).toEqual(expect.any(Number))
})

it('scans stay on the device after a logout, in the order in which they were made', async () => {
  vi.stubGlobal('sessionStorage', StoredHere.of())
  const { addScan, allScans } = await import('./unsent-scans.ts')
  addScan({ ...scan, key: 'l'.repeat(20), scanned_at: '2026-06-20T20:01:00Z' })
  addScan(scan)
  const { forgetPerson } = await import('../../accounts/web/session.ts')
  Object.assign(stored, { authToken: 'bar', userType: 'business', myOwner: 'user-1' })
  await forgetPerson()
  expect(allScans().map(({ key }) => key)).toEqual([scan.key, 'l'.repeat(20)])
})

it('scans that version 1.0 has stored are sent', async () => {
  Object.assign(stored, { redeemScans: JSON.stringify([scan]), unsent: '{"till":1}' })
  const { scansOf, sendScans, followScans } = await import('./unsent-scans.ts')
  const at = await till()
  followScans(() => {})
  expect(scansOf(at)).toEqual([scan])
  expect([stored.getItem('redeemScans'), stored.getItem('unsent')]).toEqual([null, null])
  answer = () => Response.json({ redemption_id: 'r' }, { status: 201 })
  expect([await sendScans(at), scansOf(at)]).toEqual(['done', []])
})

it('a scan is not called stored if the storage is full', async () => {
  const { addScan, allScans } = await import('./unsent-scans.ts')
  Object.assign(stored, { room: 0 })
  expect([addScan(scan), allScans()]).toEqual([false, []])
})
