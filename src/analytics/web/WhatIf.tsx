import { useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { chfShort } from '../../kit/shared/numbers.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { amountOf } from '../../redemptions/web/amount.ts'
import type * as contract from '../contract.ts'
import { getWhatIf } from '../contract.ts'

/** Asks for a price and a cost, and shows the redemptions and margin to expect. */
export function WhatIf({ dealId }: { dealId: string }) {
  const t = useTranslations('analytics')
  const [typed, setTyped] = useState({ price: '', cost: '' })
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isAsking, setAsking] = useState(false)
  const [found, setFound] = useState<contract.WhatIf | null>(null)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const price = amountOf(typed.price)
    const cost = typed.cost.trim() ? amountOf(typed.cost) : undefined
    const wrong = t('whatIf.wrong')
    setFaults({ ...(price ? {} : { price: wrong }), ...(cost === null ? { cost: wrong } : {}) })
    if (!price || cost === null) return
    setAsking(true)
    const query = { price, ...(cost === undefined ? {} : { cost }) }
    const reply = await ask(callByFetch, getWhatIf, { as: 'action', params: { deal_id: dealId }, query })
    setAsking(false)
    setFound(reply.answer?.body ?? null)
    setRefused(reply.refused)
    setFaults(reply.refused?.fields ?? {})
  }
  const field = (name: 'price' | 'cost') => ({
    name,
    value: typed[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
    error: faults[name],
    before: 'CHF',
    inputMode: 'decimal' as const,
    autoComplete: 'off',
    className: 'w-full sm:w-52',
  })
  return (
    <section aria-labelledby="what-if" className="grid grid-cols-1 gap-4">
      <h2 id="what-if" className="max-w-[40ch] text-xl text-balance wrap-anywhere">
        {t('whatIf.title')}
      </h2>
      <form
        noValidate
        aria-labelledby="what-if"
        onSubmit={(event) => void submit(event)}
        className="grid justify-items-start gap-4"
      >
        <div className="flex w-full flex-wrap items-start gap-4">
          <TextField label={t('whatIf.price')} {...field('price')} />
          <TextField label={t('whatIf.cost')} {...field('cost')} />
        </div>
        <Button type="submit" loading={isAsking} loadingText={t('whatIf.asking')}>
          {t('whatIf.ask')}
        </Button>
      </form>
      {refused && !refused.fields && <Notice kind="warn">{refused.error || t('failed')}</Notice>}
      <div aria-live="polite">{found && <Found found={found} />}</div>
    </section>
  )
}

function Found({ found }: { found: contract.WhatIf }) {
  const t = useTranslations('analytics')
  const { price, price_now, redemptions_30_days, expected, margin, margin_now, elasticity } = found
  return (
    <div className="grid max-w-[60ch] gap-2">
      <p className="text-lg font-semibold">
        {t('whatIf.answer', {
          price: chfShort(price),
          now: chfShort(price_now),
          low: expected.low,
          mid: expected.mid,
          high: expected.high,
          count: redemptions_30_days,
        })}
      </p>
      {margin && margin_now !== null && (
        <p>
          {t('whatIf.margin', {
            low: francs(margin.low),
            mid: francs(margin.mid),
            high: francs(margin.high),
            now: francs(margin_now),
          })}
        </p>
      )}
      <p className="text-ink-soft">
        {t('whatIf.formula', {
          count: redemptions_30_days,
          low: elasticity.low,
          mid: elasticity.mid,
          high: elasticity.high,
        })}
      </p>
    </div>
  )
}

/** Whole francs: an estimate is not exact to the cent. */
const francs = (amount: number) => chfShort(Math.round(amount))
