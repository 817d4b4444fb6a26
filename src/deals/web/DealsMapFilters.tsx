import { useEffect, useRef, type FormEvent } from 'react'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Checkbox } from '../../kit/browser/ui/Checkbox.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { page } from '../../site-map.ts'
import { dealSorts } from '../limits.ts'
import { defaultRadius, radiiWith } from './deal-query.ts'
import { mapLayers, mapWith, showsLayer, type MapLayer, type MapQuery } from './deals-map-query.ts'
import { useFieldsInStep } from './use-fields-in-step.ts'

/**
 * The head of the map: its name, the search and all filters, as one GET form that works without JavaScript. With it each choice
 * applies at once; typed words apply on Enter, by the button or on leaving the field.
 */
export function DealsMapFilters({
  query,
  isShown,
  onToggle,
}: {
  query: MapQuery
  isShown: boolean
  onToggle: () => void
}) {
  const t = useTranslations('dealsMap')
  const say = useTranslations('dealList')
  const navigate = useNavigate()
  const form = useFieldsInStep(query, (field, last) => {
    if (field instanceof HTMLSelectElement) {
      field.value = query[field.name as 'sort' | 'radius'] ?? (field.name === 'sort' ? 'best' : defaultRadius)
    } else if (field instanceof HTMLInputElement) {
      if (field.name === 'layers') field.checked = showsLayer(query, field.value as MapLayer)
      else if (field.type === 'checkbox') field.checked = query[field.name as 'openNow' | 'sponsored'] === 'true'
      else if (field.type === 'search' || field.type === 'text') {
        const name = field.name as 'q' | 'category'
        const isTyping = field === document.activeElement && field.value.trim() !== (last[name] ?? '')
        if (query[name] !== last[name] && !isTyping) field.value = query[name] ?? ''
      }
    }
  })

  const ask = () => {
    const data = new FormData(form.current!)
    const value = (name: string) => String(data.get(name) ?? '').trim() || null
    void navigate(
      mapWith(query, {
        q: value('q'),
        category: value('category'),
        openNow: value('openNow'),
        sponsored: value('sponsored'),
        radius: value('radius'),
        sort: value('sort'),
        layers: data.getAll('layers').join(',') || null,
        // a new radius ends the search in a box
        ...(value('radius') !== (query.radius ?? defaultRadius) ? { bbox: null } : {}),
      }),
      { preventScrollReset: true },
    )
  }
  const onChange = ({ target }: FormEvent<HTMLFormElement>) => {
    const field = target as HTMLInputElement
    if (field.name === 'layers') keepALayer(field)
    if (field.type !== 'search' && field.type !== 'text') ask()
  }
  const advanced = useClosing()
  /** Filters that are set but hidden in the options. */
  const chosen = [
    !isShown && query.category,
    !isShown && query.openNow && t('openNow'),
    query.radius && query.radius !== defaultRadius && say('within', { km: query.radius }),
    query.sort && query.sort !== 'best' && say(`sort.${query.sort as (typeof dealSorts)[number]}`),
    query.sponsored && t('sponsored'),
    query.layers &&
      mapLayers
        .filter((layer) => showsLayer(query, layer))
        .map((layer) => t(`layer.${layer}`))
        .join(' + '),
  ].filter(Boolean)
  const summary = chosen.length > 0 && (
    <p className="flex flex-wrap items-center gap-x-2 text-sm font-semibold text-lantern">
      <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full bg-lantern" />
      {chosen.join(' · ')}
    </p>
  )
  const unchanged = (['near', 'bbox', 'lat', 'lon', 'z'] as const).filter((name) => query[name])

  return (
    <section data-page="list" className="river relative z-30 bg-deep">
      <search>
        <form
          ref={form}
          action={page.dealsMap}
          autoComplete="off"
          onChange={onChange}
          onSubmit={(event) => {
            event.preventDefault()
            ask()
          }}
          className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-3 md:px-6 md:py-4"
        >
          {/* wraps below the headline with long words or large type */}
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 lg:gap-x-8">
            <h1
              className={`min-w-[min(100%,7.75em)] flex-1 text-xl text-paper sm:text-2xl md:text-3xl xl:flex-none ${isShown ? '' : 'max-sm:sr-only'}`}
            >
              {t('headline')}
            </h1>
            <Button
              aria-expanded={isShown}
              aria-controls="map-filters"
              onClick={onToggle}
              className="max-sm:px-2.5 max-sm:text-sm lg:order-1 noscript:hidden"
              icon={<SlidersHorizontal aria-hidden="true" className="size-5 max-sm:hidden" />}
            >
              {t(isShown ? 'hideFilters' : 'showFilters')}
            </Button>
            {!isShown && <Chips query={query} />}
            <div
              className={`flex min-w-0 basis-full ${isShown ? '' : 'max-sm:order-first'} lg:max-w-[36rem] lg:min-w-72 lg:flex-1 lg:basis-72`}
            >
              <SearchField
                name="q"
                maxLength={200}
                label={t('searchLabel')}
                button={say('search')}
                placeholder={say('placeholder')}
                defaultValue={query.q}
              />
            </div>
          </div>
          <div
            id="map-filters"
            hidden={!isShown}
            className="relative flex flex-wrap items-center gap-x-5 gap-y-1 [&[hidden]]:hidden"
          >
            <TextField
              label={t('category')}
              name="category"
              maxLength={60}
              defaultValue={query.category}
              placeholder={t('categoryHint')}
              onBlur={(event) => event.target.value.trim() !== (query.category ?? '') && ask()}
              className="grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 max-sm:w-full sm:w-72"
            />
            <Checkbox label={t('openNow')} name="openNow" value="true" defaultChecked={query.openNow === 'true'} />
            <details ref={advanced}>
              <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 font-semibold underline decoration-2 underline-offset-4 [&::-webkit-details-marker]:hidden">
                {t('advanced')}
              </summary>
              <div className="absolute top-full left-0 z-30 mt-2 grid w-full gap-x-6 gap-y-2 rounded-6 border-2 border-rule bg-surface p-4 sm:w-[36rem] sm:grid-cols-2">
                <Select label={t('radius')} name="radius" defaultValue={query.radius ?? defaultRadius}>
                  {radiiWith(query.radius).map((km) => (
                    <option key={km} value={km}>
                      {say('within', { km })}
                    </option>
                  ))}
                </Select>
                <Select label={t('sort')} name="sort" defaultValue={query.sort ?? 'best'}>
                  {dealSorts.map((sort) => (
                    <option key={sort} value={sort}>
                      {say(`sort.${sort}`)}
                    </option>
                  ))}
                </Select>
                <Checkbox
                  label={t('sponsored')}
                  name="sponsored"
                  value="true"
                  defaultChecked={query.sponsored === 'true'}
                />
                <fieldset>
                  <legend className="text-sm font-semibold">{t('layers')}</legend>
                  {mapLayers.map((layer) => (
                    <Checkbox
                      key={layer}
                      label={t(`layer.${layer}`)}
                      name="layers"
                      value={layer}
                      defaultChecked={showsLayer(query, layer)}
                    />
                  ))}
                </fieldset>
                <noscript>
                  <Button type="submit" variant="primary" wide>
                    {say('search')}
                  </Button>
                </noscript>
              </div>
            </details>
            {isShown && summary}
          </div>
          {!isShown && summary}
          {unchanged.map((name) => (
            <input key={name} type="hidden" name={name} value={query[name]} />
          ))}
        </form>
      </search>
    </section>
  )
}

/** The filters that one tap switches, in a row, on phones while the panel is closed. */
function Chips({ query }: { query: MapQuery }) {
  const t = useTranslations('dealsMap')
  const navigate = useNavigate()
  const go = (change: Parameters<typeof mapWith>[1]) =>
    void navigate(mapWith(query, change), { preventScrollReset: true })
  const shown = mapLayers.filter((layer) => showsLayer(query, layer))
  const layersWith = (layer: MapLayer) => {
    const next = mapLayers.filter((each) => shown.includes(each) !== (each === layer))
    // a map needs a layer
    return next.length === 0 ? shown : next
  }
  const chips = [
    {
      key: 'openNow',
      label: t('openNow'),
      isOn: query.openNow === 'true',
      tap: () => go({ openNow: query.openNow === 'true' ? null : 'true' }),
    },
    ...mapLayers.map((layer) => ({
      key: layer,
      label: t(`layer.${layer}`),
      isOn: shown.includes(layer),
      tap: () => go({ layers: layersWith(layer).join(',') }),
    })),
    ...(query.category
      ? [{ key: 'category', label: query.category, isOn: true, tap: () => go({ category: null }) }]
      : []),
  ]
  return (
    <div className="-my-1 flex min-w-0 flex-1 basis-0 gap-2 overflow-x-auto px-1 py-1 sm:hidden">
      {chips.map(({ key, label, isOn, tap }) => (
        <button
          key={key}
          type="button"
          aria-pressed={isOn}
          onClick={tap}
          className="min-h-11 shrink-0 rounded-6 border-2 border-rule px-3 text-sm font-semibold whitespace-nowrap aria-pressed:border-lantern aria-pressed:bg-lantern aria-pressed:text-on-lantern"
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** A map needs a layer: switching the last one off switches another one on. */
function keepALayer(changed: HTMLInputElement) {
  const layers = [...changed.form!.elements].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.name === 'layers',
  )
  const other = layers.find((layer) => layer !== changed)
  if (other && !layers.some(({ checked }) => checked)) other.checked = true
}

/** Escape and a press outside close the options, which cover the map. */
function useClosing() {
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (!box.current?.contains(target as Node)) box.current!.open = false
    }
    const onKey = (event: KeyboardEvent) => {
      const details = box.current!
      if (event.key !== 'Escape' || event.defaultPrevented || !details.open) return
      // Escape must not close an open card as well
      event.preventDefault()
      const hadFocus = details.contains(document.activeElement)
      details.open = false
      if (hadFocus) details.querySelector('summary')!.focus()
    }
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])
  return box
}
