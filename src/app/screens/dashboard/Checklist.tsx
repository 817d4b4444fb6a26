import Circle from 'lucide-react/icons/circle'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useTranslations } from 'use-intl'
import { page } from '../../../site-map.ts'

interface Steps {
  profile: boolean
  hours: boolean
  location: boolean
  deal: boolean
}

const ways = {
  profile: page.editBusiness,
  hours: page.editBusiness,
  location: page.editBusiness,
  deal: page.createDeal,
} as const

export function Checklist({ steps }: { steps: Steps }) {
  const t = useTranslations('checklist')
  const names = Object.keys(ways) as (keyof Steps)[]
  const done = names.filter((name) => steps[name]).length
  if (done === names.length) return null
  return (
    <section aria-labelledby="checklist" className="grid gap-3 rounded-6 border-2 border-rule bg-surface p-4 sm:p-5">
      <h2 id="checklist" className="text-xl">
        {t('title')}
      </h2>
      <p className="text-ink-soft">{t('progress', { done, all: names.length })}</p>
      <ol className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-4">
        {names.map((name) => (
          <li key={name} className="flex min-h-11 items-center gap-3">
            {steps[name] ? (
              <CircleCheck aria-label={t('done')} className="size-6 shrink-0 text-moss-text" />
            ) : (
              <Circle aria-label={t('open')} className="size-6 shrink-0 text-ink-soft" />
            )}
            {steps[name] ? (
              <span className="min-w-0 text-ink-soft wrap-anywhere hyphens-auto">{t(name)}</span>
            ) : (
              <a
                href={ways[name]}
                className="link inline-flex min-h-11 min-w-0 items-center wrap-anywhere hyphens-auto"
              >
                {t(name)}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
