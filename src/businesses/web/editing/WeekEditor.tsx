import { useState } from 'react'
import Copy from 'lucide-react/icons/copy'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../../kit/browser/ui/Button.tsx'
import { Checkbox } from '../../../kit/browser/ui/Checkbox.tsx'
import { controlClass, FieldError } from '../../../kit/browser/ui/Field.tsx'
import { TextField } from '../../../kit/browser/ui/TextField.tsx'
import { useWhen } from '../../../kit/browser/when.ts'
import { editedDays, textOf, weekIn, type Times, type Week, type WeekDay } from './week-text.ts'
import { atHead } from '../../../kit/shared/calendar.ts'

/** Edits opening hours as a table, or as text where no table can hold them. `onChange` gets OSM opening_hours. */
export function WeekEditor({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (text: string) => void
  error: string | undefined
}) {
  const t = useTranslations('hoursEditor')
  const [read] = useState(() => weekIn(value))
  const [asText, setAsText] = useState(read === null)
  if (asText)
    return (
      <div className="grid gap-3">
        <TextField
          label={t('text')}
          help={t('textHelp')}
          name="open_hours"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          error={error}
        />
        {weekIn(value) && (
          <Button variant="quiet" className="justify-self-start" onClick={() => setAsText(false)}>
            {t('asTable')}
          </Button>
        )}
      </div>
    )
  return <Table key="table" value={value} onChange={onChange} error={error} toText={() => setAsText(true)} />
}

const daysShown = (holidays: 'asWeekday' | 'own') => editedDays.filter((day) => day !== 'PH' || holidays === 'own')

const isHalfTyped = ({ week, holidays }: { week: Week; holidays: 'asWeekday' | 'own' }) =>
  daysShown(holidays).some((day) => week[day].some(({ opens, closes }) => opens === '' || closes === ''))

function Table({
  value,
  onChange,
  error,
  toText,
}: {
  value: string
  onChange: (text: string) => void
  error: string | undefined
  toText: () => void
}) {
  const t = useTranslations('hoursEditor')
  const forms = useTranslations('forms')
  const [{ week, holidays }, setState] = useState(() => weekIn(value) ?? weekIn('')!)
  const change = (next: { week?: Week; holidays?: 'asWeekday' | 'own' }) => {
    const all = { week, holidays, ...next }
    setState(all)
    // wait for whole times: half typed ones are not in the text
    if (!isHalfTyped(all)) onChange(textOf(all.week, all.holidays))
  }
  const setDay = (day: WeekDay, times: Times[]) => change({ week: { ...week, [day]: times } })
  const shown = daysShown(holidays)
  const first = week.Mo
  // no hours at all means unknown, not always closed
  const isUnknown = shown.every((day) => week[day].length === 0)
  // hide "required" once no time is missing
  const fault = error === forms('required') && !isHalfTyped({ week, holidays }) ? undefined : error
  return (
    <div className="grid gap-3">
      <ul className="grid">
        {shown.map((day) => (
          <Day
            key={day}
            day={day}
            times={week[day]}
            onChange={(times) => setDay(day, times)}
            isUnknown={isUnknown}
            isFaulty={!!fault}
          >
            {day === 'Mo' && first.length > 0 && (
              <Button
                variant="quiet"
                icon={<Copy aria-hidden="true" className="size-5" />}
                onClick={() => {
                  const copies = editedDays.slice(0, 7).map((each) => [each, first.map((times) => ({ ...times }))])
                  change({ week: { ...(Object.fromEntries(copies) as unknown as Week), PH: week.PH } })
                }}
              >
                {t('allDays')}
              </Button>
            )}
          </Day>
        ))}
      </ul>
      <FieldError id="open-hours-error">{fault}</FieldError>
      <Checkbox
        label={t('holidays')}
        checked={holidays === 'own'}
        onChange={(event) => change({ holidays: event.target.checked ? 'own' : 'asWeekday' })}
      />
      <p className="text-sm text-ink-soft">{t('pastMidnight')}</p>
      <Button variant="quiet" className="-ml-2 justify-self-start" onClick={toText}>
        {t('asText')}
      </Button>
    </div>
  )
}

function Day({
  day,
  times,
  onChange,
  isUnknown,
  isFaulty,
  children,
}: {
  day: WeekDay
  times: Times[]
  onChange: (times: Times[]) => void
  /** No day has hours. */
  isUnknown: boolean
  /** The hours have an error. */
  isFaulty: boolean
  children?: React.ReactNode
}) {
  const t = useTranslations('hoursEditor')
  const { weekdayName } = useWhen()
  const name = day === 'PH' ? t('publicHolidays') : atHead(weekdayName(editedDays.indexOf(day) + 1))
  // required, so that the form is not sent with half an opening
  const timeProps = (value: string) =>
    ({
      type: 'time',
      name: 'open_hours',
      required: true,
      value,
      'aria-invalid': (isFaulty && value === '') || undefined,
      'aria-describedby': isFaulty ? 'open-hours-error' : undefined,
      className: `${controlClass} min-w-0 max-sm:flex-1 max-sm:px-1.5 sm:w-40!`,
    }) as const
  const set = (at: number, part: Partial<Times>) =>
    onChange(times.map((each, index) => (index === at ? { ...each, ...part } : each)))
  return (
    <li className="grid grid-cols-1 items-start gap-x-3 border-b border-hair py-2 last:border-b-0 sm:grid-cols-[5.5rem_minmax(0,1fr)]">
      <span className="py-1 font-semibold wrap-anywhere sm:pt-2.5">{name}</span>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {times.map((each, at) => (
          <span key={at} className="flex min-w-0 items-center gap-1.5 max-sm:w-full">
            <input
              {...timeProps(each.opens)}
              aria-label={t('opens', { day: name })}
              onChange={(event) => set(at, { opens: event.target.value })}
            />
            –
            <input
              {...timeProps(each.closes)}
              aria-label={t('closes', { day: name })}
              onChange={(event) => set(at, { closes: event.target.value })}
            />
            <IconButton
              label={t('remove', { day: name })}
              icon={<X aria-hidden="true" className="size-5" />}
              onClick={() => onChange(times.filter((_, index) => index !== at))}
            />
          </span>
        ))}
        {times.length === 0 && !isUnknown && <span className="text-ink-soft">{t('closed')}</span>}
        {times.length < 3 && (
          <IconButton
            label={t('add', { day: name })}
            icon={<Plus aria-hidden="true" className="size-5" />}
            onClick={() =>
              onChange([...times, times.length === 0 ? { opens: '11:00', closes: '22:00' } : { opens: '', closes: '' }])
            }
          />
        )}
        {children}
      </div>
    </li>
  )
}
