import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { planSchedule, type ScheduleEntry } from '../contract.ts'
import { remove } from './my-schedule.ts'
import type { ShowNote } from './show-note.ts'
import { bringBack } from './use-saving.ts'
import { useTimes } from './use-times.ts'

/** The best plan of a day: its events, dropped events with reasons, and what leaving one out would bring. Nothing changes before it is accepted. */
export function DayPlan({
  day,
  entries,
  showNote,
  onClose,
}: {
  day: string
  entries: ScheduleEntry[]
  showNote: ShowNote
  onClose: () => void
}) {
  const t = useTranslations('schedule')
  const [without, setWithout] = useState('')
  const whole = useAnswer(planSchedule, { body: { day }, as: 'background' })
  const other = useAnswer(planSchedule, without ? { body: { day, leave_out: [without] }, as: 'background' } : null)
  const { span } = useTimes()
  const entryOf = (id: string) => entries.find(({ event }) => event.event_id === id)
  const title = (id: string) => entryOf(id)?.event.title ?? '–'
  const named = (ids: readonly string[]) => ids.map(title).join(', ')

  if (whole.refused) return <NotLoaded refused={whole.refused} again={whole.again} />
  if (!whole.body) return <Waiting sizes={['h-40']} />
  // while the other plan is loaded, the first one is shown and none can be accepted
  const isOpen = without !== '' && !other.body
  const { beyond, ...planned } = other.body ?? whole.body
  // the server may not know yet what was removed here
  const kept = planned.kept.filter(entryOf)
  const dropped = planned.dropped.filter(({ event_id }) => entryOf(event_id))
  const leaving = [...dropped.map(({ event_id }) => event_id), ...(other.body ? [without] : [])]
    .map(entryOf)
    .filter((entry) => entry !== undefined)
  const take = () => {
    for (const entry of leaving) void remove(entry.event)
    const undo = () => {
      for (const entry of leaving) void bringBack(entry)
    }
    showNote(t('planTaken', { n: kept.length }), { label: t('undo'), onClick: undo })
    onClose()
  }
  return (
    <div className="grid max-h-[min(60vh,36rem)] gap-4 overflow-y-auto pr-1">
      <p className="font-semibold">
        {leaving.length > 0
          ? t('planKeeps', { kept: kept.length, all: kept.length + leaving.length })
          : t('planWhole', { n: kept.length })}
      </p>
      <ol className="grid gap-1">
        {kept.map((id) => (
          <li key={id} className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 border-l-6 border-moss-text pl-3">
            <span className="figure">{entryOf(id) && span(entryOf(id)!.event)}</span>
            <span className="font-semibold [overflow-wrap:anywhere]">{title(id)}</span>
          </li>
        ))}
      </ol>
      {dropped.length > 0 && (
        <section aria-labelledby="left-out" className="grid gap-1.5">
          <h3 id="left-out">{t('leftOut')}</h3>
          <ul className="grid gap-1.5">
            {dropped.map(({ event_id, reason, because }) => (
              <li key={event_id} className="border-l-6 border-action pl-3 [overflow-wrap:anywhere]">
                <span className="font-semibold">{title(event_id)}</span>
                <span className="block text-sm text-ink-soft">{t(`why.${reason}`, { titles: named(because) })}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {beyond > 0 && <p className="text-sm text-ink-soft">{t('beyond', { n: beyond })}</p>}
      {/* if everything fits, leaving one out brings nothing */}
      {whole.body.dropped.some(({ event_id }) => entryOf(event_id)) && (
        <Select label={t('whatIf')} value={without} onChange={({ currentTarget }) => setWithout(currentTarget.value)}>
          <option value="">{t('leaveNothing')}</option>
          {whole.body.kept.filter(entryOf).map((id) => (
            <option key={id} value={id}>
              {title(id)}
            </option>
          ))}
        </Select>
      )}
      {other.refused && <NotLoaded refused={other.refused} again={other.again} />}
      {other.body && (
        <output className="rounded-6 bg-well p-3">
          {other.body.gained.length > 0 ? t('gained', { titles: named(other.body.gained) }) : t('nothingGained')}
          {other.body.lost.length > 0 && ` ${t('lost', { titles: named(other.body.lost) })}`}
        </output>
      )}
      {leaving.length > 0 && (
        <div className="grid gap-2">
          <Button variant="primary" disabled={isOpen} onClick={take}>
            {t('takePlan', { n: leaving.length })}
          </Button>
        </div>
      )}
    </div>
  )
}
