import { data } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'
import { Placard } from './Placard.tsx'

const load = () => data(null, { status: 404 })
export { load as loader, load as clientLoader }

export default function NotFoundScreen() {
  const t = useTranslations('errors')
  return (
    <>
      <PageHead title={t('notFound')} hidden />
      <NothingHere what={null} />
    </>
  )
}

/** `what`: a sentence such as "Deal not found."; null: the page does not exist. */
export function NothingHere({ what }: { what: string | null }) {
  const t = useTranslations('errors')
  return (
    <Placard title={what ?? t('notFound')} picture="lost">
      <p className="text-lg">{what ? t('goneText') : t('notFoundText')}</p>
      <p className="flex flex-wrap gap-3">
        <ButtonLink href={page.home} variant="primary" size="lg">
          {t('home')}
        </ButtonLink>
        <ButtonLink href={page.deals} size="lg">
          {t('deals')}
        </ButtonLink>
        <ButtonLink href={page.events} size="lg">
          {t('events')}
        </ButtonLink>
        <ButtonLink href={page.businesses} size="lg">
          {t('merchants')}
        </ButtonLink>
      </p>
    </Placard>
  )
}
