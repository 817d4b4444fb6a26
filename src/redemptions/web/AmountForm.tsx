import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { CheckedCode } from '../contract.ts'
import { amountOf } from './amount.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/** What the visitor pays; the deal's price is filled in. `checked` null: offline, so the deal is unknown. */
export function AmountForm({
  checked,
  refused,
  sending,
  onAmount,
  onCancel,
}: {
  checked: CheckedCode | null
  refused: RefusedAnswer | null
  sending: boolean
  onAmount: (amountChf: number) => void
  onCancel: () => void
}) {
  const t = useTranslations('redeem')
  const [typed, setTyped] = useState(checked?.price_chf == null ? '' : fixed(checked.price_chf, 2))
  const [isWrong, setWrong] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = amountOf(typed)
    setWrong(amount === null)
    if (amount !== null) onAmount(amount)
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-5" aria-label={t('amountForm')}>
      {checked ? (
        <div className="grid gap-1 rounded-6 border-2 border-l-8 border-rule border-l-moss bg-surface p-4">
          <p className="text-sm font-semibold text-moss-text">{t('good')}</p>
          <p className="figure text-2xl [overflow-wrap:anywhere]">{checked.deal_name}</p>
          {checked.discount && <p className="[overflow-wrap:anywhere]">{checked.discount}</p>}
        </div>
      ) : (
        <Notice kind="offline" title={t('unchecked')}>
          <p>{t('uncheckedText')}</p>
        </Notice>
      )}
      {refused && (
        // safe to send again: with the same amount the key stays the same
        <Notice kind="error">{refused.error || t(refused.status === 0 ? 'noAnswer' : 'failed')}</Notice>
      )}
      <TextField
        ref={input}
        label={t('amount')}
        help={t('amountHelp')}
        error={isWrong ? t('amountWrong') : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setWrong(false)
        }}
        before="CHF"
        inputMode="decimal"
        autoComplete="off"
        // the only field of the page, so the keyboard opens at once
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={sending}
          loadingText={t('redeeming')}
          className="min-w-48 flex-1"
        >
          {t(checked ? 'redeem' : 'storeScan')}
        </Button>
        <Button size="lg" onClick={onCancel} disabled={sending}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
