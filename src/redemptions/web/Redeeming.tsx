import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { newKey } from '../../kit/browser/new-key.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { isTemporary, type RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { CheckedCode, Redemption } from '../contract.ts'
import { AmountForm } from './AmountForm.tsx'
import { Done } from './Done.tsx'
import { ScanNotices, momentOf, ScanStored } from './ScanNotices.tsx'
import { Scanner } from './Scanner.tsx'
import { isForeign, isOver, type GivenCode, type TillCalls } from './till.ts'
import { storedOffset, measureOffset } from './till-clock.ts'
import type { UnsentScan } from './till-store.ts'
import { TypedCode } from './TypedCode.tsx'
import { addScan, dismissScan, scannedBefore } from './unsent-scans.ts'
import { useUnsentScans } from './use-unsent-scans.ts'

/** A code that was read, later with its amount. `checked` null: not checked by the server, so its deal is unknown. */
export interface Reading {
  given: GivenCode
  checked: CheckedCode | null
  scanned_at: string
  key: string
  /** The amount that was sent with `key`. */
  amount_chf?: number
}

/** A changed amount needs a new key: the server refuses the old key with another amount. */
const withAmount = (reading: Reading, amount_chf: number): Reading => ({
  ...reading,
  amount_chf,
  key: (reading.amount_chf ?? amount_chf) === amount_chf ? reading.key : newKey(),
})

const newReading = (given: GivenCode): Reading => ({
  given,
  checked: null,
  scanned_at: new Date().toISOString(),
  key: newKey(),
})

type Step =
  | { at: 'reading'; refused: RefusedAnswer | null }
  | { at: 'checking' }
  | { at: 'amount'; reading: Reading; refused: RefusedAnswer | null; sending: boolean }
  | { at: 'done'; redemption: Redemption }
  | { at: 'stored'; key: string }

/** Scan or type a code, enter the amount, done. `changed` gets each redemption, or null after a lost answer. */
export function Redeeming({
  till,
  changed,
  left = null,
  over,
}: {
  till: TillCalls
  changed: (redemption: Redemption | null) => void
  /** A code that was read in the shift before and not redeemed. */
  left?: Reading | null
  /** Called when the shift has ended, with the code that was read and not redeemed. */
  over?: (left: Reading | null) => void
}) {
  const t = useTranslations('redeem')
  const when = useWhen()
  const [step, setStep] = useState<Step>(() => {
    if (!left) return { at: 'reading', refused: null }
    return left.checked ? { at: 'amount', reading: left, refused: null, sending: false } : { at: 'checking' }
  })
  useServerClock()
  const unsent = useUnsentScans(till, changed, () => step.at === 'reading' && over?.(null))

  const read = async (given: GivenCode) => {
    const reading = newReading(given)
    const before = scannedBefore(till, given, reading.scanned_at)
    if (before) {
      const error = t('scannedBefore', { time: when.clock(momentOf(before)) })
      return setStep({ at: 'reading', refused: { status: 409, code: 'already_used', error } })
    }
    setStep({ at: 'checking' })
    await check(reading)
  }
  const check = async (reading: Reading) => {
    const { answer, refused } = await till.check(reading.given)
    if (answer) {
      navigator.vibrate?.(60)
      setStep({ at: 'amount', reading: { ...reading, checked: answer.body }, refused: null, sending: false })
    } else if (over && refused && isOver(refused)) over(reading)
    else if (refused && isUnchecked(refused) && till.deviceId !== null)
      setStep({ at: 'amount', reading, refused: null, sending: false })
    else setStep({ at: 'reading', refused })
  }

  const checkLeft = useEffectEvent(() => {
    if (left && !left.checked) void check(left)
  })
  useEffect(() => checkLeft(), [])

  const redeem = async (read: Reading, amount_chf: number) => {
    const reading = withAmount(read, amount_chf)
    setStep({ at: 'amount', reading, refused: null, sending: true })
    const { given, checked, key } = reading
    if (checked) {
      const { answer, refused } = await till.redeem({ ticket: checked.ticket, amount_chf, idempotency_key: key })
      if (answer) {
        changed(answer.body)
        return setStep({ at: 'done', redemption: answer.body })
      }
      if (over && refused && isOver(refused)) return over(reading)
      // the server may have counted it: reload the list
      changed(null)
      const canStore = refused && (isTemporary(refused) || isForeign(refused)) && till.deviceId !== null
      if (!canStore) return setStep({ at: 'amount', reading, refused, sending: false })
    }
    const scan: UnsentScan = {
      key,
      business_id: till.businessId,
      device_id: till.deviceId ?? '',
      code: 'code' in given ? given.code : null,
      payload: 'payload' in given ? given.payload : null,
      amount_chf,
      scanned_at: reading.scanned_at,
      clock_offset_ms: storedOffset(),
      conflict: null,
    }
    if (addScan(scan)) setStep({ at: 'stored', key })
    else
      setStep({ at: 'amount', reading, refused: { status: 0, code: 'shut', error: t('storageShut') }, sending: false })
  }

  const next = () => setStep({ at: 'reading', refused: null })
  return (
    <div className="grid content-start gap-5">
      <ScanNotices
        waiting={unsent.waiting}
        conflicts={unsent.conflicts}
        seen={(key) => {
          dismissScan(key)
          if (step.at === 'stored' && step.key === key) next()
        }}
      />
      <div className={step.at === 'reading' || step.at === 'checking' ? 'grid gap-5' : 'hidden'}>
        <Scanner paused={step.at !== 'reading'} onRead={(payload) => void read({ payload })} />
        <TypedCode
          focused={step.at === 'reading'}
          checking={step.at === 'checking'}
          refused={step.at === 'reading' ? step.refused : null}
          onRead={(given) => void read(given)}
          canStore={till.deviceId !== null}
        />
      </div>
      {step.at === 'amount' && (
        <AmountForm
          checked={step.reading.checked}
          refused={step.refused}
          sending={step.sending}
          onAmount={(amount) => void redeem(step.reading, amount)}
          onCancel={() => {
            if (step.refused) changed(null)
            next()
          }}
        />
      )}
      {step.at === 'done' && (
        <Done
          redemption={step.redemption}
          undo={till.undo}
          changed={(redemption) => {
            changed(redemption)
            setStep({ at: 'done', redemption })
          }}
          onNext={next}
        />
      )}
      {step.at === 'stored' && (
        <ScanStored
          state={isOf(unsent.waiting, step.key) ? 'waiting' : isOf(unsent.conflicts, step.key) ? 'conflict' : 'sent'}
          onNext={next}
        />
      )}
    </div>
  )
}

/** The server has not checked the code. With 429 it has answered, so the till waits instead. */
const isUnchecked = (refused: RefusedAnswer) => refused.status === 0 || refused.status >= 500 || isForeign(refused)

const isOf = (scans: UnsentScan[], key: string) => scans.some((scan) => scan.key === key)

const askClockMs = 10 * 60_000

/** Measures the offset of this device's clock, every ten minutes. */
function useServerClock() {
  useEffect(() => {
    void measureOffset()
    const looking = setInterval(() => void measureOffset(), askClockMs)
    return () => clearInterval(looking)
  }, [])
}
