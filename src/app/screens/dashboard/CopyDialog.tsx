import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { mostCopies } from '../../../deals/limits.ts'
import { copyDeals } from '../../../deals/contract/editing.ts'
import type { OwnDeal } from '../../../deals/contract.ts'
import { useSend } from '../../../kit/browser/forms/use-send.ts'
import { newKey } from '../../../kit/browser/new-key.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Checkbox } from '../../../kit/browser/ui/Checkbox.tsx'
import { Dialog } from '../../../kit/browser/ui/Dialog.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { Select } from '../../../kit/browser/ui/Select.tsx'
import { useWhen } from '../../../kit/browser/when.ts'
import { usePeriod } from './use-period.ts'
import { readAs } from '../../../kit/browser/ask.ts'
import { readSaveAnswer } from '../../../deals/web/editing/save-answer.ts'

const dayMs = 24 * 60 * 60_000
const weeks = [1, 2, 3, 4] as const

/** Copies deals to the same days and times some weeks later, unless they would be over. Deals of the last seven days are preselected. */
export function CopyDialog({
  deals,
  onClose,
  onDone,
}: {
  deals: OwnDeal[]
  onClose: () => void
  onDone: (text: string) => void
}) {
  const t = useTranslations('ownDeals')
  const period = usePeriod({ dated: true })
  const { now } = useWhen()
  const [days, setDays] = useState(7)
  const [chosen, setChosen] = useState(
    () => new Set(deals.filter((deal) => isOfLastWeek(deal, now)).map(({ deal_id }) => deal_id)),
  )
  // the same key for each tap: after a lost answer no second copies are made
  const [key] = useState(newKey)
  const { send, isSending, refused } = useSend()
  // deals of last week first, so that the limit cuts none of them off
  const [order] = useState(() => new Set(chosen))
  const shown = deals
    .toSorted((a, b) => Number(order.has(b.deal_id)) - Number(order.has(a.deal_id)))
    .slice(0, mostCopies)
  const isOver = (deal: OwnDeal) => Date.parse(later(deal, days).ends_at ?? '') <= now
  const copied = shown.filter((deal) => chosen.has(deal.deal_id) && !isOver(deal)).map(({ deal_id }) => deal_id)
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const copy = async () => {
    const body = { deal_ids: copied, days }
    const { answer } = await send(readAs(copyDeals, readSaveAnswer), { as: 'action', body, idempotencyKey: key })
    if (answer) onDone(answer.body.notice ?? t('copied', { n: body.deal_ids.length }))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('copySeveral')}
      closeLabel={t('close')}
      actions={
        <Button
          variant="primary"
          disabled={copied.length === 0}
          loading={isSending}
          loadingText={t('copying')}
          onClick={() => void copy()}
        >
          {t('copyNow', { n: copied.length })}
        </Button>
      }
    >
      {refused && <Notice kind="error">{refused.error || t('failed')}</Notice>}
      <Select label={t('later')} value={days} onChange={(event) => setDays(Number(event.target.value))}>
        {weeks.map((n) => (
          <option key={n} value={n * 7}>
            {t('weeks', { n })}
          </option>
        ))}
      </Select>
      <div className="max-h-[45vh] overflow-y-auto">
        {shown.map((deal) => (
          <Checkbox
            key={deal.deal_id}
            label={deal.deal_name}
            help={t(isOver(deal) ? 'wouldBeOver' : 'becomes', {
              now: period(deal),
              next: period(later(deal, days)),
            })}
            checked={copied.includes(deal.deal_id)}
            disabled={isOver(deal)}
            onChange={() => toggle(deal.deal_id)}
          />
        ))}
      </div>
    </Dialog>
  )
}

function isOfLastWeek({ starts_at, ends_at }: OwnDeal, now: number): boolean {
  const begin = Date.parse(starts_at ?? ends_at ?? '')
  const end = Date.parse(ends_at ?? starts_at ?? '')
  return end > now - 7 * dayMs && begin <= now
}

/** Times of the copy, for display only: the server keeps the time of day when clocks change in between. */
const later = ({ starts_at, ends_at }: OwnDeal, days: number) => {
  const move = (instant: string | null) => instant && new Date(Date.parse(instant) + days * dayMs).toISOString()
  return { starts_at: move(starts_at), ends_at: move(ends_at) }
}
