import { data, redirect, useActionData, type ActionFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { submit } from '../../kit/browser/asking.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'
import type { unsubscribeNewsletter } from '../contract.ts'
import { formOf, typedIn } from './forms.tsx'
import { loadToken, tokenPageHeaders } from './mailed-token.ts'
import { OneTap } from './OneTap.tsx'

export { loadToken as loader, loadToken as clientLoader, tokenPageHeaders as headers }

async function go({ context, request }: ActionFunctionArgs) {
  const { token = '' } = typedIn(await formOf(request), 'token')
  const { refused } = await submit<typeof unsubscribeNewsletter>(context, 'POST /api/newsletter/unsubscribe', {
    query: { subscriber: token },
  })
  if (refused) return data({ refused }, { status: refused.status || 503 })
  return redirect(`${page.newsletterUnsubscribe}?done=yes`, 303)
}
export { go as action, go as clientAction }

export default function NewsletterOutScreen() {
  const t = useTranslations('newsletter')
  const outcome = useActionData<typeof go>()
  return (
    <OneTap
      path={page.newsletterUnsubscribe}
      refused={outcome?.refused}
      texts={{
        title: t('out.title'),
        lead: t('out.lead'),
        submit: t('out.submit'),
        sending: t('out.sending'),
        done: t('out.done'),
        doneText: t('out.doneText'),
        invalidText: t('out.invalidText'),
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
