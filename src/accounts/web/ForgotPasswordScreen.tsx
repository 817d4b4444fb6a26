import 'texts:accountForms,forgotPassword,forms'
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
import { Radio } from '../../kit/browser/ui/Checkbox.tsx'
import { useFormDraft } from '../../kit/browser/use-form-draft.ts'
import { page } from '../../site-map.ts'
import { PosterForm, OtherWays } from './PosterForm.tsx'
import { EmailField } from './fields.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { usePageForm } from '../../kit/browser/forms/use-page-form.ts'
import { accountKinds } from '../limits.ts'
import { loginDraftNames } from './forms.tsx'
import { DemoMail, Happened, TextLink } from './parts.tsx'
import { siteOptions } from './site-options.ts'
import { forgotPassword } from '../contract.ts'

const kindOf = (text: string | null | undefined) => (text === 'business' ? 'business' : 'user')

async function load({ context, request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const { demoMail } = await siteOptions(context)
  return { sent: query.has('sent') && hasHappened(request), kind: kindOf(query.get('kind')), demoMail } as const
}
export { load as loader, load as clientLoader }

/** Success redirects, so that a reload does not send twice. The answer is the same for every address. */
async function send({ context, request }: ActionFunctionArgs) {
  const typed = typedIn(await formOf(request), 'email', 'kind')
  const kind = kindOf(typed['kind'])
  const body = { email: typed['email']!.trim(), kind } as const
  const { refused } = await ask(context, forgotPassword, { body })
  if (refused) return data({ refused, typed }, { status: refused.status || 503 })
  return happenedAt(context, `${page.forgotPassword}?sent=yes&kind=${kind}`)
}
export { send as action, send as clientAction }

export default function ForgotPasswordScreen() {
  const t = useTranslations('forgotPassword')
  const { sent, kind, demoMail } = useLoaderData<typeof load>()
  const [query] = useSearchParams()
  return (
    <PosterForm title={t(sent ? 'done' : 'title')} lead={t('lead')} motif={sent ? 'letter' : 'key'}>
      <PageHead
        title={t('title')}
        description={t('description')}
        address={page.forgotPassword}
        hidden={query.size > 0}
      />
      {sent ? <Sent kind={kind} demoMail={demoMail} /> : <RequestForm />}
      <OtherWays>
        <p>
          <TextLink href={kind === 'business' ? page.businessLogin : page.userLogin}>{t('back')}</TextLink>
        </p>
      </OtherWays>
    </PosterForm>
  )
}

function Sent({ kind, demoMail }: { kind: string; demoMail: string | null }) {
  const t = useTranslations('forgotPassword')
  return (
    <>
      <Happened>{t('doneText')}</Happened>
      <DemoMail path={demoMail} />
      <ButtonLink href={`${page.forgotPassword}?kind=${kind}`} size="lg" className="justify-self-start">
        {t('another')}
      </ButtonLink>
    </>
  )
}

function RequestForm() {
  const t = useTranslations('forgotPassword')
  const { kind } = useLoaderData<typeof load>()
  const outcome = useActionData<typeof send>()
  const { form, faults, sending } = usePageForm(page.forgotPassword, outcome)
  // Takes over the address typed into the login form.
  useFormDraft(form.ref, kind === 'business' ? page.businessLogin : page.userLogin, loginDraftNames)
  const chosen = outcome ? kindOf(outcome.typed['kind']) : kind
  return (
    <Form {...form} aria-label={t('title')}>
      {outcome && !sending && <Refused refused={outcome.refused} />}
      <EmailField
        id="forgot-email"
        autoComplete="username"
        defaultValue={outcome?.typed['email']}
        error={faults['email']}
      />
      <fieldset>
        <legend className="text-sm font-semibold">{t('kind')}</legend>
        <div className="flex flex-wrap gap-x-6">
          {accountKinds.map((each) => (
            <Radio
              key={each}
              id={`forgot-kind-${each}`}
              name="kind"
              value={each}
              label={t(`kinds.${each}`)}
              defaultChecked={each === chosen}
            />
          ))}
        </div>
      </fieldset>
      <Button type="submit" variant="primary" size="lg" wide loading={sending} loadingText={t('sending')}>
        {t('submit')}
      </Button>
    </Form>
  )
}
