import { useLocale, useTranslations } from 'use-intl'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Radio } from '../../kit/browser/ui/Checkbox.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { dateText, wallIn } from '../../kit/shared/calendar.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import type { importEvents } from '../contract.ts'
import { dayOrders, tableFields, type DayOrder } from '../limits.ts'

type Table = NonNullable<AnswerBody<typeof importEvents>['table']>

export interface TableChoice {
  /** The field by heading; "" for a column that is not read. */
  columns: Record<string, string>
  dayOrder?: DayOrder
}

/** Shows how the columns of a table were read, and lets a person say otherwise. */
export function TableColumns({
  table,
  choice,
  onChoice,
}: {
  table: Table
  choice: TableChoice
  onChoice: (choice: TableChoice) => void
}) {
  const t = useTranslations('adminEvents.table')
  const named = table.columns.filter(({ heading }) => heading !== '')
  return (
    <>
      {!table.is_enough && <Notice kind="warn" title={t('lacking')} />}
      {table.unclear_date !== null && (
        <fieldset className="grid gap-2">
          <legend className="text-sm font-semibold">{t('order', { date: table.unclear_date })}</legend>
          {dayOrders.map((order) => (
            <Radio
              key={order}
              name="day-order"
              checked={choice.dayOrder === order}
              onChange={() => onChoice({ ...choice, dayOrder: order })}
              label={<Meaning date={table.unclear_date!} order={order} />}
            />
          ))}
        </fieldset>
      )}
      <details open={!table.is_enough}>
        <summary className="cursor-pointer py-2.5 font-semibold">{t('columns')}</summary>
        <ul className="grid gap-3">
          {named.map(({ heading, sample, field }) => (
            <li key={heading} className="grid gap-1 sm:grid-cols-2 sm:items-end sm:gap-3">
              <Select
                label={heading}
                value={choice.columns[heading] ?? field ?? ''}
                onChange={({ target }) =>
                  onChoice({ ...choice, columns: { ...choice.columns, [heading]: target.value } })
                }
              >
                <option value="">{t('notRead')}</option>
                {tableFields.map((each) => (
                  <option key={each} value={each}>
                    {t(`field.${each}`)}
                  </option>
                ))}
              </Select>
              {sample && <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{t('sample', { sample })}</p>}
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

/** The date as it would be read: "3 April 2026". */
function Meaning({ date, order }: { date: string; order: DayOrder }) {
  const locale = useLocale()
  const [a = 1, b = 1, year = 2000] = (date.match(/\d+/g) ?? []).map(Number)
  const [day, month] = order === 'day-first' ? [a, b] : [b, a]
  return dateText(locale, wallIn('UTC', Date.UTC(year < 100 ? 2000 + year : year, month - 1, day)))
}
