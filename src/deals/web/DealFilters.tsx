import type { FormEvent, ReactNode } from 'react'
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
  isOn,
  priceChoices,
  radiiWith,
  sortsNearby,
  sortsOfAll,
  type DealQuery,
} from './deal-query.ts'
import { NearMe } from './NearMe.tsx'
import { NowLink } from './NowLink.tsx'
import type { PositionRefusal } from '../../kit/browser/ask-position.ts'
import { useFieldsInStep } from './use-fields-in-step.ts'

/**
 * All filters of the list, as one GET form that works without JavaScript. With it each choice applies at once; typed words apply on
 * Enter or by the button.
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
  onRefused: (why: PositionRefusal | null) => void
}) {
  const t = useTranslations('dealList')
  const navigate = useNavigate()
  const wentBack = useNavigationType() === 'POP'
  const form = useFieldsInStep(query, (field, last) => {
    if (field instanceof HTMLSelectElement) {
      if (field.name === 'radius') field.value = query.radius ?? defaultRadius
      else field.value = [...field.options].some(({ value }) => value === query.sort) ? query.sort! : ''
    } else if (field instanceof HTMLInputElement) {
      if (field.name === 'openNow') field.checked = isOn(query.openNow)
      if (field.name === 'max_price') field.checked = field.value === query.max_price
      if (field.type === 'radio') field.checked = field.value.toLowerCase() === (query.category ?? '').toLowerCase()
      // only if other words are searched, and nobody is typing
      if (field.type === 'search' && query.q !== last.q && (field !== document.activeElement || wentBack))
        field.value = query.q ?? ''
    }
  })
  const sorts = isNear ? sortsNearby : sortsOfAll

  const address = () => {
    const values = Object.fromEntries(
      [...new FormData(form.current!)].map(([name, value]) => [name, String(value).trim()]),
    )
    return dealsWith({}, values)
  }
  const ask = () => void navigate(address(), { preventScrollReset: true })
  const words = () => String(new FormData(form.current!).get('q')).trim()
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    const field = event.target as HTMLInputElement
    // one price or none
    if (field.name === 'max_price' && field.checked)
      for (const other of form.current!.querySelectorAll<HTMLInputElement>('[name=max_price]'))
        other.checked = other === field
    // typing does not search, but clearing the search field does
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
        className="grid grid-cols-1 gap-2 sm:gap-4 lg:contents"
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
        <div className={`${rowClass} pt-1`}>
          {!(isNear && isOn(query.openNow)) && (
            <NowLink
              as="chip"
              query={{ q: query.q, category: query.category, max_price: query.max_price }}
              onRefused={onRefused}
              words={words}
            />
          )}
          <Box name="openNow" value="true" isChosen={isOn(query.openNow)}>
            {t('openNow')}
          </Box>
          <NearMe query={query} current={isNear} onRefused={onRefused} words={words} />
          {(['free', 'underTen'] as const).map((price) => (
            <Box
              key={price}
              name="max_price"
              value={priceChoices[price]}
              isChosen={query.max_price === priceChoices[price]}
            >
              {t(price)}
            </Box>
          ))}
          <div className="flex shrink-0 gap-2">
            <Select
              className="min-w-44"
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
                className="min-w-40"
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
        <div className={`${rowClass} pb-1`}>
          <Categories chosen={query.category} />
        </div>
        <FieldError id="category-fault">{faults['category']}</FieldError>
        {(['near', 'lat', 'lon', 'limit'] as const).map(
          (name) => query[name] && <input key={name} type="hidden" name={name} value={query[name]} />,
        )}
      </form>
    </search>
  )
}

/** On phones a row that scrolls sideways. */
const rowClass =
  '-mx-4 flex gap-2 overflow-x-auto px-4 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0 lg:col-span-2'

/** A filter that is on or off, as a chip. */
function Box({
  name,
  value,
  isChosen,
  children,
}: {
  name: string
  value: string
  isChosen: boolean
  children: ReactNode
}) {
  return (
    <label className={`${chipClass} has-checked:border-moss has-checked:bg-moss has-checked:text-on-moss`}>
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={isChosen}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
      {children}
    </label>
  )
}

function Categories({ chosen }: { chosen: string | undefined }) {
  const t = useTranslations('dealList')
  const name = useTranslations('categories')
  const known = categoriesToChoose.find((category) => category === chosen?.toLowerCase())
  const input = 'absolute inset-0 size-full cursor-pointer opacity-0'
  return (
    <fieldset className="contents">
      <legend className="sr-only">{t('category')}</legend>
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
          <input type="radio" name="category" value={category} defaultChecked={known === category} className={input} />
          <CategoryGlyph
            category={category}
            className={`size-5 group-has-checked:text-current ${categoryText[category]}`}
          />
          {name(category)}
        </label>
      ))}
    </fieldset>
  )
}

/** The fill of the chosen chip; written out because Tailwind reads class names from the source. */
const chosenFill: Record<(typeof categoriesToChoose)[number], string> = {
  food: 'has-checked:bg-food has-checked:text-on-food',
  drinks: 'has-checked:bg-drinks has-checked:text-on-drinks',
  nightlife: 'has-checked:bg-nightlife has-checked:text-on-nightlife',
  shopping: 'has-checked:bg-shopping has-checked:text-on-shopping',
  culture: 'has-checked:bg-culture has-checked:text-on-culture',
  wellness: 'has-checked:bg-wellness has-checked:text-on-wellness',
  other: 'has-checked:bg-other has-checked:text-on-other',
}
