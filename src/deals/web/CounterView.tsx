import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { serverTime } from '../../kit/browser/server-time.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { dealPage } from '../../site-map.ts'
import type { Deal } from '../contract.ts'
import { dealTime } from '../times.ts'
import { useDealWhen } from './deal-when.ts'
import { DealPrice } from './DealPrice.tsx'
import { Ticket, type TicketState } from './Ticket.tsx'
import { useLang } from './use-lang.ts'

/** The ticket of a deal without codes: its price and terms, and whether it can be used now. */
export default function CounterView({ deal }: { deal: Deal }) {
  const t = useTranslations('deal')
  const lang = useLang(deal)
  const navigate = useNavigate()
  const { state, text } = useTicketState(deal)
  const isOff = state === 'later'
  return (
    <Ticket
      label={t('counter.label', { deal: deal.deal_name })}
      state={state}
      band={text}
      title={deal.deal_name}
      titleLang={lang}
      headingLevel="h1"
      merchant={deal.business_name}
      now={useSeconds()}
      close={dealPage(deal.deal_id)}
      onClose={() => void navigate(dealPage(deal.deal_id), { replace: true })}
    >
      <p className="text-lg font-semibold">{t(isOff ? 'counter.notNow' : 'counter.lead')}</p>
      <div className={isOff ? 'opacity-60' : undefined}>
        <DealPrice deal={deal} size="lg" />
      </div>
      {deal.terms && (
        <div className="grid gap-1 border-t-2 border-rule pt-3">
          <h2 className="text-lg">{t('terms')}</h2>
          <p lang={lang} className="text-lg whitespace-pre-line [overflow-wrap:anywhere]">
            {deal.terms}
          </p>
        </div>
      )}
    </Ticket>
  )
}

function useTicketState(deal: Deal): { state: TicketState; text: string } {
  const t = useTranslations('ticket')
  const when = useWhen()
  const { text } = useDealWhen(deal)
  const time = dealTime(deal, when.now)
  if (time.is === 'unknown') return { state: 'unsure', text }
  if (time.is === 'past') return { state: 'later', text }
  if (time.is !== 'now') return { state: 'later', text: t('from', { time: when.time(time.from) }) }
  return { state: 'valid', text: time.until === null ? t('now') : t('until', { time: when.time(time.until) }) }
}

/** The server's time, each second; null until the script has loaded. */
function useSeconds(): number | null {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    const tick = () => setNow(serverTime())
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
