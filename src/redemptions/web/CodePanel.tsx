import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import X from 'lucide-react/icons/x'
import { useTranslations } from 'use-intl'
import { showModal } from '../../kit/browser/ui/show-modal.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { Claim } from '../contract.ts'
import { QrCode } from './QrCode.tsx'
import { ServerClock } from './server-clock.ts'
import { shownCode } from './shown-code.ts'
import { useWakeLock } from './wake-lock.ts'

const tickMs = 250
/** Circumference of the ring that empties. */
const around = 2 * Math.PI * 15

/**
 * The code of a claim on a white panel over the whole screen, for the till to scan or read. It goes by the server's clock, and works
 * offline.
 */
export function CodePanel({ claim, offsetMs, onClose }: { claim: Claim; offsetMs: number; onClose: () => void }) {
  const t = useTranslations('myCodes')
  const when = useWhen()
  const dialog = useRef<HTMLDialogElement>(null)
  const now = useServerTime(offsetMs)
  const shown = claim.state === 'open' ? shownCode(claim, now) : null
  const isEarly = claim.usable_from !== '' && Date.parse(claim.usable_from) > now
  useWakeLock()
  useEffect(() => {
    showModal(dialog.current)
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={t('codeOf', { deal: claim.deal_name })}
      onClose={onClose}
      className="fixed inset-0 m-0 size-full max-h-none max-w-none bg-[#fff] p-0 text-[#000]"
    >
      <div className="mx-auto grid min-h-full w-full max-w-md grid-rows-[auto_1fr_auto] gap-3 px-5 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <div className="flex items-start justify-between gap-3">
          <div className="grid pt-2 leading-tight">
            <h2 className="figure text-xl">{claim.deal_name}</h2>
            <span className="[overflow-wrap:anywhere]">{claim.business_name}</span>
          </div>
          <button
            type="button"
            aria-label={t('close')}
            onClick={() => dialog.current?.close()}
            className="grid size-12 shrink-0 place-items-center rounded-6 border-2 border-[#000]"
          >
            <X aria-hidden="true" className="size-6" />
          </button>
        </div>
        {claim.state === 'redeemed' ? (
          <Message title={t('redeemed')} text={t('enjoy')} />
        ) : shown ? (
          <div className="grid content-center justify-items-center gap-2">
            <div className="w-full max-w-[min(22rem,56dvh)]">
              <QrCode payload={shown.payload} label={t('qr')} />
            </div>
            <p className="flex flex-wrap items-center justify-center gap-3">
              <span className="figure text-[clamp(1.75rem,10.4vw,4.25rem)] leading-none tracking-wider select-all">
                {shown.code.slice(0, 3)}&#8239;{shown.code.slice(3)}
              </span>
              <Ring secondsLeft={shown.secondsLeft} label={t('secondsLeft', { n: shown.secondsLeft })} />
            </p>
            {isEarly && (
              <p className="text-center font-semibold">{t('goodFrom', { time: when.time(claim.usable_from) })}</p>
            )}
          </div>
        ) : (
          <Message title={t('expired')} text={t('expiredText')} />
        )}
        <p className="text-center text-sm">{shown && t('showIt', { time: when.time(claim.expires_at) })}</p>
      </div>
    </dialog>
  )
}

function Message({ title, text }: { title: string; text: string }) {
  return (
    <output className="grid content-center justify-items-center gap-2 text-center">
      <span className="figure text-4xl">{title}</span>
      <span className="text-lg">{text}</span>
    </output>
  )
}

function Ring({ secondsLeft, label }: { secondsLeft: number; label: string }) {
  return (
    <>
      <span className="sr-only">{label}</span>
      <svg aria-hidden="true" viewBox="0 0 36 36" fill="none" className="size-11 shrink-0 -rotate-90">
        <circle cx="18" cy="18" r="15" strokeWidth="5" className="stroke-[#0002]" />
        <circle
          cx="18"
          cy="18"
          r="15"
          strokeWidth="5"
          strokeDasharray={around}
          strokeDashoffset={around * (1 - secondsLeft / 30)}
          className="stroke-[#000]"
        />
      </svg>
    </>
  )
}

/** The server's time in ms since 1970, four times a second. */
function useServerTime(offsetMs: number): number {
  const clock = useMemo(() => new ServerClock(offsetMs), [offsetMs])
  const [now, setNow] = useState(() => clock.now())
  const tick = useEffectEvent(() => setNow(clock.now()))
  useEffect(() => {
    const ticking = setInterval(tick, tickMs)
    // the clock may have stopped while the phone slept
    const wake = () => {
      if (document.visibilityState === 'visible') clock.wakeUp()
    }
    document.addEventListener('visibilitychange', wake)
    return () => {
      clearInterval(ticking)
      document.removeEventListener('visibilitychange', wake)
    }
  }, [clock])
  return now
}
