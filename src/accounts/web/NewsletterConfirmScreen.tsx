import { data, redirect, useActionData, type ActionFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { submit } from '../../kit/browser/asking.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'
import type { confirmNewsletter } from '../contract.ts'
import { formOf, typedIn } from './forms.tsx'
import { loadToken, tokenPageHeaders } from './mailed-token.ts'
import { OneTap } from './OneTap.tsx'

export { loadToken as loader, loadToken as clientLoader, tokenPageHeaders as headers }

async function go({ context, request }: ActionFunctionArgs) {
  const { token = '' } = typedIn(await formOf(request), 'token')
  const { refused } = await submit<typeof confirmNewsletter>(context, 'POST /api/newsletter/confirm', {
    body: { token },
  })
  if (refused) return data({ refused }, { status: refused.status || 503 })
  return redirect(`${page.newsletterConfirm}?done=yes`, 303)
}
export { go as action, go as clientAction }

export default function NewsletterConfirmScreen() {
  const t = useTranslations('newsletter')
  const outcome = useActionData<typeof go>()
  return (
    <OneTap
      path={page.newsletterConfirm}
      refused={outcome?.refused}
      texts={{
        title: t('confirm.title'),
        lead: t('confirm.lead'),
        submit: t('confirm.submit'),
        sending: t('confirm.sending'),
        done: t('confirm.done'),
        doneText: t('confirm.doneText'),
        invalidText: t('confirm.invalidText'),
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
