import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { page } from '../../site-map.ts'

/** Shown to merchants on a visitor's page. */
export function VisitorsOnly() {
  const t = useTranslations('accountForms')
  const frame = useTranslations('frame')
  return (
    <EmptyState
      title={t('visitorsOnly')}
      action={
        <ButtonLink href={page.dashboard} variant="primary">
          {frame('dashboard')}
        </ButtonLink>
      }
    >
      {t('visitorsOnlyText')}
    </EmptyState>
  )
}
