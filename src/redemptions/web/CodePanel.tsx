import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Ticket } from '../../deals/web/Ticket.tsx'
import type { Claim } from '../contract.ts'
import { useClaimBand } from './claim-state.ts'
import { QrCode } from './QrCode.tsx'
import { ServerClock } from './server-clock.ts'
import { shownCode } from './shown-code.ts'
import { useWakeLock } from './wake-lock.ts'

const tickMs = 250
/** Circumference of the ring that empties. */
const around = 2 * Math.PI * 15

/** The ticket of a claim: its code for the till to scan or read. It goes by the server's clock, and works offline. */
export function CodePanel({ claim, offsetMs, onClose }: { claim: Claim; offsetMs: number; onClose: () => void }) {
  const t = useTranslations('myCodes')
  const now = useServerTime(offsetMs)
  const { state, text } = useClaimBand(claim, now)
  const shown = state === 'valid' || state === 'later' ? shownCode(claim, now) : null
  useWakeLock()
  return (
    <Ticket
      label={t('codeOf', { deal: claim.deal_name })}
      state={state}
      band={text}
      title={claim.deal_name}
      merchant={claim.business_name}
      now={now}
      close={null}
      onClose={onClose}
    >
      {shown ? (
        <div className="my-auto grid justify-items-center gap-2">
          <div className={`w-full max-w-[min(22rem,50dvh)] ${state === 'later' ? 'opacity-15' : ''}`}>
            <QrCode payload={shown.payload} label={t('qr')} />
          </div>
          {state === 'later' ? (
            <p className="text-center text-lg font-semibold">{t('appears')}</p>
          ) : (
            <>
              <p className="flex flex-wrap items-center justify-center gap-3">
                <span className="figure text-[clamp(1.75rem,10.4vw,4.25rem)] leading-none tracking-wider select-all">
                  {shown.code.slice(0, 3)}&#8239;{shown.code.slice(3)}
                </span>
                <Ring secondsLeft={shown.secondsLeft} label={t('secondsLeft', { n: shown.secondsLeft })} />
              </p>
              <p className="text-center">{t('showIt')}</p>
            </>
          )}
        </div>
      ) : (
        <p className="my-auto text-center text-2xl font-semibold">
          {t(state === 'redeemed' ? 'enjoy' : 'expiredText')}
        </p>
      )}
    </Ticket>
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
