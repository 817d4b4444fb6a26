import { useEffect, useRef, type FormEvent } from 'react'
import X from 'lucide-react/icons/x'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { page } from '../../site-map.ts'
import type { EventCategory, Stage } from '../contract.ts'
import { eventsWith, isOn, narrowing, type EventQuery } from './event-query.ts'

const tick =
  'relative inline-flex min-h-11 shrink-0 cursor-pointer items-center gap-2 rounded-6 border-2 border-rule px-4 font-semibold has-checked:border-moss has-checked:bg-moss has-checked:text-on-moss has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus'

/** The filters of the programme as a GET form: works without JavaScript; with it each choice applies at once. */
export function EventFilters({
  query,
  stages,
  categories,
}: {
  query: EventQuery
  stages: Pick<Stage, 'stage_id' | 'stage'>[]
  categories: EventCategory[]
}) {
  const t = useTranslations('events')
  const name = useTranslations('categories')
  const navigate = useNavigate()
  const form = useFormInStep(query)
  const ask = () => {
    const values = Object.fromEntries(
      [...new FormData(form.current!)].map(([key, value]) => [key, String(value).trim()]),
    )
    void navigate(eventsWith({}, values), { preventScrollReset: true })
  }
  const onChange = ({ target }: FormEvent<HTMLFormElement>) => {
    const field = target as HTMLInputElement
    // apply a search when it is submitted or cleared, not at each letter
    if (field.name !== 'q' || (field.value === '' && query.q)) ask()
  }
  return (
    <search>
      <form
        ref={form}
        action={page.events}
        autoComplete="off"
        onChange={onChange}
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
        // one line that scrolls sideways on phones; the margin and padding leave room for the focus ring
        className="relative -mx-4 -my-2 flex items-start gap-2 overflow-x-auto px-4 py-2 [scrollbar-width:none] sm:-mx-2 sm:flex-wrap sm:px-2"
      >
        <span className="flex w-full max-w-64 shrink-0 sm:max-w-none sm:min-w-64 sm:flex-1">
          <SearchField
            name="q"
            maxLength={200}
            label={t('searchLabel')}
            button={t('search')}
            placeholder={t('placeholder')}
            defaultValue={query.q}
          />
        </span>
        <Select
          label={t('category')}
          labelHidden
          name="category"
          defaultValue={query.category ?? ''}
          className="min-w-40 shrink-0"
        >
          <option value="">{t('allCategories')}</option>
          {categories.map((category) => (
            <option key={category} value={category}>
              {name(category)}
            </option>
          ))}
        </Select>
        <Select
          label={t('stage')}
          labelHidden
          name="stage"
          defaultValue={query.stage ?? ''}
          className="max-w-64 min-w-40 shrink-0"
        >
          <option value="">{t('allStages')}</option>
          {stages.map(({ stage_id, stage }) => (
            <option key={stage_id} value={stage_id}>
              {stage}
            </option>
          ))}
        </Select>
        {(['free', 'family'] as const).map((choice) => (
          <label key={choice} className={tick}>
            <input
              type="checkbox"
              name={choice}
              value="true"
              defaultChecked={isOn(query[choice])}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {t(choice)}
          </label>
        ))}
        {narrowing.some((key) => query[key]) && (
          <a
            href={eventsWith(query, Object.fromEntries(narrowing.map((key) => [key, null])))}
            className="link inline-flex min-h-11 shrink-0 items-center gap-1 font-semibold"
          >
            <X aria-hidden="true" className="size-4" />
            {t('clear')}
          </a>
        )}
        {(['day', 'view', 'venue'] as const).map(
          (key) => query[key] && <input key={key} type="hidden" name={key} value={query[key]} />,
        )}
      </form>
    </search>
  )
}

/** Sets the fields when the address changes (back, a removed filter), but not a field in which somebody types. */
function useFormInStep(query: EventQuery) {
  const form = useRef<HTMLFormElement>(null)
  const before = useRef<EventQuery | null>(null)
  useEffect(() => {
    const last = before.current
    before.current = query
    // keeps what was chosen before hydration
    if (!last) return
    for (const field of form.current?.elements ?? []) {
      const value = query[(field as HTMLInputElement).name as keyof EventQuery]
      if (field instanceof HTMLSelectElement) field.value = value ?? ''
      if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = isOn(value)
      if (field instanceof HTMLInputElement && field.type === 'search') {
        const isTyping = field === document.activeElement && field.value.trim() !== (last.q ?? '')
        if (!isTyping) field.value = value ?? ''
      }
    }
  }, [query])
  return form
}
