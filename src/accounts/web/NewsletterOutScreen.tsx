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

/**
 * The button of this page, or the one click of a mail program (RFC 8058), which posts to the address in the mail's header
 * and follows no redirect.
 */
async function go({ context, request }: ActionFunctionArgs) {
  const form = typedIn(await formOf(request), 'token', 'List-Unsubscribe')
  const oneClick = form['List-Unsubscribe'] === 'One-Click'
  const subscriber = oneClick ? (new URL(request.url).searchParams.get('subscriber') ?? '') : (form['token'] ?? '')
  const { refused } = await submit<typeof unsubscribeNewsletter>(context, 'POST /api/newsletter/unsubscribe', {
    query: { subscriber },
  })
  if (refused) return data({ refused, done: false }, { status: refused.status || 503 })
  return oneClick ? { refused: null, done: true } : redirect(`${page.newsletterUnsubscribe}?done=yes`, 303)
}
export { go as action, go as clientAction }

export default function NewsletterOutScreen() {
  const t = useTranslations('newsletter')
  const outcome = useActionData<typeof go>()
  return (
    <OneTap
      path={page.newsletterUnsubscribe}
      refused={outcome?.refused ?? undefined}
      isDone={outcome?.done}
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
