import { useEffect, useRef, type FormEvent } from 'react'
import { X } from 'lucide-react'
import { useNavigate, useNavigationType } from 'react-router'
import { useTranslations } from 'use-intl'
import { categoryText } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { FieldError } from '../../kit/browser/ui/Field.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { page } from '../../site-map.ts'
import { chipClass } from './chip.ts'
import {
  categoriesToChoose,
  dealsWith,
  defaultRadius,
  radiusChoices,
  sortsNearby,
  sortsOfAll,
  withoutPlace,
  type DealQuery,
} from './deal-query.ts'
import { NearMe, type Refused } from './NearMe.tsx'

/**
 * Everything that narrows the list, as one GET form: it works without JavaScript, and with it each choice is asked at
 * once, in place. Typed words are asked by Enter or the button.
 */
export function DealFilters({
  query,
  isNear,
  faults,
  onRefused,
}: {
  query: DealQuery
  isNear: boolean
  faults: Record<string, string>
  onRefused: (why: Refused | null) => void
}) {
  const t = useTranslations('deals')
  const navigate = useNavigate()
  const form = useFormInStep(query)
  const sorts = isNear ? sortsNearby : sortsOfAll

  const asked = () => {
    const values = Object.fromEntries(
      [...new FormData(form.current!)].map(([name, value]) => [name, String(value).trim()]),
    )
    return dealsWith({}, values)
  }
  const ask = () => void navigate(asked(), { preventScrollReset: true })
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    const field = event.target as HTMLInputElement
    // typing is not asking, but the cross of a search field is
    if (field.name !== 'q' || (field.value === '' && query.q)) ask()
  }

  return (
    <search className="lg:contents">
      <form
        ref={form}
        action={page.deals}
        autoComplete="off"
        onChange={onChange}
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
        className="grid grid-cols-1 gap-4 lg:contents"
      >
        <div className="grid gap-1.5">
          <div className="flex w-full">
            <SearchField
              size="lg"
              name="q"
              maxLength={200}
              label={t('searchLabel')}
              button={t('search')}
              placeholder={t('placeholder')}
              defaultValue={query.q}
            />
          </div>
          <FieldError id="q-fault">{faults['q']}</FieldError>
        </div>
        <Categories chosen={query.category} fault={faults['category']} />
        <div className="flex flex-wrap items-start gap-3 *:max-w-full lg:col-span-2">
          <NearMe query={query} current={isNear} onRefused={onRefused} />
          <label className={`${chipClass} has-checked:border-moss has-checked:bg-moss has-checked:text-on-moss`}>
            <input
              type="checkbox"
              name="openNow"
              value="true"
              defaultChecked={isOn(query.openNow)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span aria-hidden="true" className="size-2.5 rounded-full border-2 border-current" />
            {t('openNow')}
          </label>
          <div className="flex gap-3 max-sm:w-full">
            <Select
              className="min-w-0 max-sm:flex-1 sm:w-52"
              label={t('sortBy')}
              labelHidden
              name="sort"
              defaultValue={query.sort ?? ''}
              error={faults['sort'] && t('dropped')}
            >
              {sorts.map((sort, index) => (
                <option key={sort} value={index === 0 ? '' : sort}>
                  {t(`sort.${sort}`)}
                </option>
              ))}
            </Select>
            {isNear && (
              <Select
                className="max-sm:flex-1 sm:w-44"
                label={t('radius')}
                labelHidden
                name="radius"
                defaultValue={query.radius ?? defaultRadius}
                error={faults['radius']}
              >
                {radiiWith(query.radius).map((km) => (
                  <option key={km} value={km}>
                    {t('within', { km })}
                  </option>
                ))}
              </Select>
            )}
          </div>
        </div>
        {(['near', 'lat', 'lon', 'limit'] as const).map(
          (name) => query[name] && <input key={name} type="hidden" name={name} value={query[name]} />,
        )}
      </form>
    </search>
  )
}

function Categories({ chosen, fault }: { chosen: string | undefined; fault: string | undefined }) {
  const t = useTranslations('deals')
  const name = useTranslations('categories')
  const known = categoriesToChoose.find((category) => category === chosen?.toLowerCase())
  const input = 'absolute inset-0 size-full cursor-pointer opacity-0'
  return (
    <fieldset className="min-w-0 lg:col-span-2">
      <legend className="sr-only">{t('category')}</legend>
      <div className="-mx-2 flex gap-2 overflow-x-auto p-2 [scrollbar-width:none] lg:flex-wrap">
        <label className={`${chipClass} has-checked:border-ink has-checked:bg-ink has-checked:text-page`}>
          <input type="radio" name="category" value="" defaultChecked={!chosen} className={input} />
          {t('all')}
        </label>
        {chosen && !known && (
          <label className={`${chipClass} max-w-64 has-checked:border-ink has-checked:bg-ink has-checked:text-page`}>
            <input type="radio" name="category" value={chosen} defaultChecked className={input} />
            <span className="truncate">{chosen}</span>
          </label>
        )}
        {categoriesToChoose.map((category) => (
          <label key={category} className={`group ${chipClass} ${chosenFill[category]}`}>
            <input
              type="radio"
              name="category"
              value={category}
              defaultChecked={known === category}
              className={input}
            />
            <CategoryGlyph
              category={category}
              className={`size-5 group-has-checked:text-current ${categoryText[category]}`}
            />
            {name(category)}
          </label>
        ))}
      </div>
      <FieldError id="category-fault">{fault}</FieldError>
    </fieldset>
  )
}

/** `categoryFill` of the chosen chip; written out because Tailwind reads class names from the source. */
const chosenFill: Record<(typeof categoriesToChoose)[number], string> = {
  food: 'has-checked:bg-food has-checked:text-on-food',
  drinks: 'has-checked:bg-drinks has-checked:text-on-drinks',
  nightlife: 'has-checked:bg-nightlife has-checked:text-on-nightlife',
  shopping: 'has-checked:bg-shopping has-checked:text-on-shopping',
  culture: 'has-checked:bg-culture has-checked:text-on-culture',
  wellness: 'has-checked:bg-wellness has-checked:text-on-wellness',
  other: 'has-checked:bg-other has-checked:text-on-other',
}

/** What narrows the list now, each with its way out. */
export function ActiveFilters({ query, isNear }: { query: DealQuery; isNear: boolean }) {
  const t = useTranslations('deals')
  const name = useTranslations('categories')
  const category = categoriesToChoose.find((each) => each === query.category?.toLowerCase())
  const active = [
    query.q && { key: 'q', label: t('quoted', { q: query.q }), href: dealsWith(query, { q: null }) },
    query.category && {
      key: 'category',
      label: category ? name(category) : query.category,
      href: dealsWith(query, { category: null }),
    },
    isOn(query.openNow) && { key: 'openNow', label: t('openNow'), href: dealsWith(query, { openNow: null }) },
    isNear && {
      key: 'near',
      label: t(query.lat ? 'nearMeWithin' : 'nearCentreWithin', { km: query.radius ?? defaultRadius }),
      href: dealsWith(query, withoutPlace),
    },
  ].filter((each) => !!each)
  if (active.length === 0) return null
  return (
    <ul
      aria-label={t('activeFilters')}
      className="flex items-center gap-2 max-sm:-mx-2 max-sm:overflow-x-auto max-sm:p-2 max-sm:[scrollbar-width:none] sm:flex-wrap"
    >
      {active.map(({ key, label, href }) => (
        <li key={key} className="shrink-0">
          <a
            href={href}
            aria-label={t('remove', { filter: label })}
            className="inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-6 bg-well px-3 text-sm font-semibold whitespace-nowrap text-ink no-underline hover:bg-ink hover:text-page"
          >
            <span className="max-w-56 truncate">{label}</span>
            <X aria-hidden="true" className="size-4 shrink-0" />
          </a>
        </li>
      ))}
      {active.length > 1 && (
        <li className="shrink-0">
          <a href={page.deals} className="link inline-flex min-h-11 items-center px-1 text-sm font-semibold">
            {t('clearAll')}
          </a>
        </li>
      )}
    </ul>
  )
}

export const isOn = (value: string | undefined) => value !== undefined && /^(true|1|on|yes)$/i.test(value)

function radiiWith(chosen: string | undefined): string[] {
  if (!chosen || (radiusChoices as readonly string[]).includes(chosen)) return [...radiusChoices]
  return [...radiusChoices, chosen].sort((a, b) => Number(a) - Number(b))
}

/** The fields follow the address (back, a removed filter), but never what somebody is typing. */
function useFormInStep(query: DealQuery) {
  const form = useRef<HTMLFormElement>(null)
  const wentBack = useNavigationType() === 'POP'
  const hydrating = useRef(true)
  useEffect(() => {
    // what was chosen before the page came alive stays
    if (hydrating.current) {
      hydrating.current = false
      return
    }
    for (const field of form.current?.elements ?? []) {
      if (
        field instanceof HTMLInputElement &&
        field.type === 'search' &&
        (field !== document.activeElement || wentBack)
      )
        field.value = query.q ?? ''
      if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = isOn(query.openNow)
      if (field instanceof HTMLInputElement && field.type === 'radio')
        field.checked = field.value.toLowerCase() === (query.category ?? '').toLowerCase()
      if (field instanceof HTMLSelectElement && field.name === 'sort')
        field.value = [...field.options].some(({ value }) => value === query.sort) ? query.sort! : ''
      if (field instanceof HTMLSelectElement && field.name === 'radius') field.value = query.radius ?? defaultRadius
    }
  }, [query, wentBack])
  return form
}
