import 'texts:accountForms,businessSignup,forms,signup'
import { Form, useLoaderData, useLocation, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { PosterForm, OtherWays } from '../../accounts/web/PosterForm.tsx'
import { AlreadyIn } from '../../accounts/web/AlreadyIn.tsx'
import { EmailField, NewPassword } from '../../accounts/web/fields.tsx'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { usePageForm } from '../../kit/browser/forms/use-page-form.ts'
import { SubmitButton } from '../../accounts/web/forms.tsx'
import { TextLink } from '../../accounts/web/parts.tsx'
import {
  AccountCreated,
  HumanCheck,
  SignupFailed,
  signUpInBrowser,
  signUpOnServer,
  useSignup,
  type SignupFailure,
} from '../../accounts/web/signup.tsx'
import { localeOf, siteOptions } from '../../accounts/web/site-options.ts'
import { hasHappened } from '../../kit/browser/happened.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { FieldError } from '../../kit/browser/ui/Field.tsx'
import { LanternShape } from '../../brand/Badge.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { scaledPicture } from '../../kit/browser/scaled-picture.ts'
import { useFormDraft } from '../../kit/browser/use-form-draft.ts'
import { page } from '../../site-map.ts'
import { signupTiers } from '../limits.ts'
import { signUpBusiness } from '../contract.ts'
import { LogoField } from './LogoField.tsx'
import { SignupSupport } from './SignupSupport.tsx'

/** Fields that a draft stores; never a password, and a file cannot be stored. */
const draftNames = ['business_name', 'email', 'address', 'subscription_tier'] as const

async function load({ context, request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const tier = signupTiers.find((each) => each === query.get('tier')?.toUpperCase()) ?? 'FREE'
  return { ...(await siteOptions(context)), created: query.has('created') && hasHappened(request), tier }
}
export { load as loader, load as clientLoader }

async function readForm({ context, request }: ActionFunctionArgs) {
  const form = await formOf(request)
  const typed = typedIn(form, 'business_name', 'email', 'address', 'subscription_tier')
  const { password } = typedIn(form, 'password')
  const logo = form.get('logo')
  return {
    body: {
      ...typed,
      email: typed['email']!.trim(),
      subscription_tier: typed['subscription_tier'] || 'FREE',
      password,
      language: localeOf(context),
    },
    files: logo instanceof Blob && logo.size > 0 ? { logo } : ({} as Record<string, Blob>),
    typed,
  }
}

export async function clientAction(args: ActionFunctionArgs) {
  const { files, ...rest } = await readForm(args)
  const sent = files['logo'] ? { logo: await scaledPicture(files['logo']) } : files
  return signUpInBrowser(signUpBusiness, args.request, { ...rest, files: sent })
}
export async function action(args: ActionFunctionArgs) {
  return signUpOnServer(args.context, signUpBusiness, { request: args.request, ...(await readForm(args)) })
}

export default function BusinessSignupScreen() {
  const t = useTranslations('businessSignup')
  const { demoMail } = useLoaderData<typeof load>()
  const { created, failure, next, login, hasQuery } = useSignup(page.businessLogin)
  return (
    <PosterForm overline={t('banner')} title={t('title')} lead={t('lead')} motif="awning" tight>
      <PageHead title={t('title')} description={t('description')} address={page.businessSignup} hidden={hasQuery} />
      {created ? (
        <AccountCreated
          kind="business"
          form={page.businessSignup}
          login={login}
          demoMail={demoMail}
          soon={t.rich('doneText', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}
          link={t.rich('doneLink', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}
        />
      ) : (
        <>
          <AlreadyIn kind="business">
            {t.rich('already', { link: (chunks) => <TextLink href={next ?? page.dashboard}>{chunks}</TextLink> })}
          </AlreadyIn>
          <SignupForm failure={failure} />
          <OtherWays>
            <p>{t.rich('have', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}</p>
          </OtherWays>
        </>
      )}
    </PosterForm>
  )
}

function SignupForm({ failure }: { failure: SignupFailure | undefined }) {
  const t = useTranslations('businessSignup')
  const say = useTranslations('signup')
  const { search } = useLocation()
  const { tier, demoPayments } = useLoaderData<typeof load>()
  const { form, faults, sending } = usePageForm(page.businessSignup, failure)
  const typed = failure?.typed
  useFormDraft(form.ref, page.businessSignup, draftNames, typed)
  return (
    <Form {...form} encType="multipart/form-data" action={page.businessSignup + search} aria-label={t('title')}>
      <SignupSupport demoPayments={demoPayments} />
      {failure && !sending && <SignupFailed refused={failure.refused} />}
      <TextField
        id="signup-business-name"
        name="business_name"
        label={t('name')}
        help={t('nameHelp')}
        autoComplete="organization"
        defaultValue={typed?.['business_name']}
        error={faults['business_name']}
        required
      />
      <EmailField id="signup-email" help={t('emailHelp')} defaultValue={typed?.['email']} error={faults['email']} />
      <NewPassword id="signup-password" error={faults['password']} own={['email', 'business_name']} />
      <TextField
        id="signup-address"
        name="address"
        label={t('address')}
        help={t('addressHelp')}
        autoComplete="street-address"
        defaultValue={typed?.['address']}
        error={faults['address']}
      />
      <TierChoice
        chosen={typed?.['subscription_tier'] || tier}
        demoPayments={demoPayments}
        error={faults['subscription_tier']}
      />
      <LogoField error={faults['logo']} />
      <HumanCheck sending={sending} />
      <SubmitButton sending={sending} sendingText={say('submitting')} native>
        {t('submit')}
      </SubmitButton>
      <p className="text-sm text-ink-soft">
        {t.rich('terms', {
          terms: (chunks) => <TextLink href={page.terms}>{chunks}</TextLink>,
          privacy: (chunks) => <TextLink href={page.privacy}>{chunks}</TextLink>,
        })}
      </p>
    </Form>
  )
}

/** The choice of tier; Premium has the star of everything paid. */
function TierChoice({
  chosen,
  demoPayments,
  error,
}: {
  chosen: string
  demoPayments: boolean
  error: string | undefined
}) {
  const t = useTranslations('businessSignup')
  return (
    <fieldset className="grid gap-1.5">
      <legend className="pb-1.5 text-sm font-semibold">{t('tier')}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {signupTiers.map((tier) => (
          <label
            key={tier}
            htmlFor={`signup-tier-${tier}`}
            className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-1 rounded-6 border-2 border-hair bg-surface p-4 has-checked:border-ink has-checked:bg-well has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              id={`signup-tier-${tier}`}
              type="radio"
              name="subscription_tier"
              value={tier}
              defaultChecked={tier === chosen}
              aria-describedby={error ? 'signup-tier-error' : undefined}
              className="mt-0.5 grid size-6 appearance-none place-items-center rounded-full border-2 border-rule bg-surface after:size-2.5 after:rounded-full after:bg-on-action after:opacity-0 checked:bg-action checked:after:opacity-100"
            />
            <span className="figure flex flex-wrap items-center gap-x-2 text-lg leading-tight">
              {t(`tiers.${tier}.name`)}
              {tier === 'PREMIUM' && <LanternShape className="size-5 fill-lantern-text" />}
            </span>
            <span className="col-start-2 font-semibold">{t(`tiers.${tier}.price`)}</span>
            <span className="col-start-2 text-sm text-ink-soft">
              {t(`tiers.${tier}.text`)}
              {tier === 'PREMIUM' && ` ${t(demoPayments ? 'payDemo' : 'payLater')}`}
            </span>
          </label>
        ))}
      </div>
      <FieldError id="signup-tier-error">{error}</FieldError>
    </fieldset>
  )
}
