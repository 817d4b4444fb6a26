import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'
import { OneTap, type RefusedLink } from '../../accounts/web/OneTap.tsx'

/** The pages behind the links in the newsletter's mails: confirm and unsubscribe. */
export function NewsletterTap({
  way,
  path,
  outcome,
  isDone,
}: {
  way: 'confirm' | 'out'
  path: string
  outcome: RefusedLink | undefined
  isDone?: boolean | undefined
}) {
  const t = useTranslations('newsletter')
  return (
    <OneTap
      path={path}
      outcome={outcome}
      isDone={isDone}
      texts={{
        title: t(`${way}.title`),
        lead: t(`${way}.lead`),
        submit: t(`${way}.submit`),
        sending: t(`${way}.sending`),
        done: t(`${way}.done`),
        doneText: t(`${way}.doneText`),
        invalidText: t(`${way}.invalidText`),
      }}
      after={
        <ButtonLink href={page.home} variant="primary" size="lg" className="justify-self-start">
          {t('home')}
        </ButtonLink>
      }
      invalid={
        <ButtonLink href={page.newsletter} size="lg" className="justify-self-start">
          {t('title')}
        </ButtonLink>
      }
    />
  )
}
