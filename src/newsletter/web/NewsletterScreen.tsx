import 'texts:accountForms,forms,newsletter'
import {
  data,
  Form,
  useActionData,
  useLoaderData,
  useSearchParams,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { hasHappened, happenedAt } from '../../kit/browser/happened.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'
import { PosterForm } from '../../accounts/web/PosterForm.tsx'
import { EmailField } from '../../accounts/web/fields.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { usePageForm } from '../../kit/browser/forms/use-page-form.ts'
import { DemoMail, Happened, TextLink } from '../../accounts/web/parts.tsx'
import { localeOf, siteOptions } from '../../accounts/web/site-options.ts'
import { subscribeNewsletter } from '../contract.ts'

async function load({ context, request }: LoaderFunctionArgs) {
  const { demoMail } = await siteOptions(context)
  return { sent: new URL(request.url).searchParams.has('sent') && hasHappened(request), demoMail }
}
export { load as loader, load as clientLoader }

/** The small form in the footer posts here too. Its field is called `newsletter`, so that no page has two fields `email`. */
async function subscribe({ context, request }: ActionFunctionArgs) {
  const form = typedIn(await formOf(request), 'email', 'newsletter')
  const email = (form['email'] || form['newsletter'] || '').trim()
  const body = { email, language: localeOf(context) }
  const { refused } = await ask(context, subscribeNewsletter, { body })
  if (refused) return data({ refused, typed: { email } }, { status: refused.status || 503 })
  return happenedAt(context, `${page.newsletter}?sent=yes`)
}
export { subscribe as action, subscribe as clientAction }

export default function NewsletterScreen() {
  const t = useTranslations('newsletter')
  const { sent, demoMail } = useLoaderData<typeof load>()
  const [query] = useSearchParams()
  return (
    <PosterForm title={t(sent ? 'sent' : 'title')} lead={sent ? undefined : t('lead')} motif="letter">
      <PageHead title={t('title')} description={t('description')} address={page.newsletter} hidden={query.size > 0} />
      {sent ? (
        <>
          <Happened>{t('sentText')}</Happened>
          <DemoMail path={demoMail} />
          <ButtonLink href={page.home} variant="primary" size="lg" className="justify-self-start">
            {t('home')}
          </ButtonLink>
        </>
      ) : (
        <SubscribeForm />
      )}
    </PosterForm>
  )
}

function SubscribeForm() {
  const t = useTranslations('newsletter')
  const outcome = useActionData<typeof subscribe>()
  const { form, faults, sending } = usePageForm(page.newsletter, outcome)
  return (
    <Form {...form} aria-label={t('title')}>
      {outcome && !sending && <Refused refused={outcome.refused} />}
      <EmailField id="newsletter-email" defaultValue={outcome?.typed.email} error={faults['email']} />
      <Button type="submit" variant="primary" size="lg" wide loading={sending} loadingText={t('sending')}>
        {t('submit')}
      </Button>
      <p className="text-sm text-ink-soft">
        {t.rich('privacy', { privacy: (chunks) => <TextLink href={page.privacy}>{chunks}</TextLink> })}
      </p>
    </Form>
  )
}
