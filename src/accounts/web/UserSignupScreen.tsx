import 'texts:accountForms,businessLogin,forms,signup,userLogin,userSignup'
import { Form, useLoaderData, useLocation, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { hasHappened } from '../../kit/browser/happened.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Checkbox } from '../../kit/browser/ui/Checkbox.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useFormDraft } from '../../kit/browser/use-form-draft.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { signUpVisitor } from '../contract.ts'
import { PosterForm, OtherWays } from './PosterForm.tsx'
import { AlreadyIn } from './AlreadyIn.tsx'
import { EmailField, NewPassword } from './fields.tsx'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { usePageForm } from '../../kit/browser/forms/use-page-form.ts'
import { SubmitButton } from './forms.tsx'
import { GoogleWay } from './Login.tsx'
import { TextLink } from './parts.tsx'
import {
  AccountCreated,
  HumanCheck,
  SignupFailed,
  signUpInBrowser,
  signUpOnServer,
  useSignup,
  type SignupFailure,
} from './signup.tsx'
import { localeOf, siteOptions } from './site-options.ts'

/** Fields whose values are stored as a draft; a password never is. */
const draftNames = ['display_name', 'email', 'accepts_terms'] as const

async function load({ context, request }: LoaderFunctionArgs) {
  const created = new URL(request.url).searchParams.has('created') && hasHappened(request)
  return { ...(await siteOptions(context)), created }
}
export { load as loader, load as clientLoader }

async function readForm({ context, request }: ActionFunctionArgs) {
  const form = await formOf(request)
  const typed = typedIn(form, 'display_name', 'email')
  const { password } = typedIn(form, 'password')
  const accepts = form.get('accepts_terms') !== null
  const body = {
    display_name: typed['display_name']!.trim(),
    email: typed['email']!.trim(),
    password,
    accepts_terms: accepts,
    language: localeOf(context),
  }
  return { body, typed: { ...typed, accepts_terms: accepts ? 'on' : '' } }
}

export async function clientAction(args: ActionFunctionArgs) {
  return signUpInBrowser(signUpVisitor, args.request, await readForm(args))
}
export async function action(args: ActionFunctionArgs) {
  const { request } = args
  return signUpOnServer(args.context, signUpVisitor, { request, ...(await readForm(args)) })
}

export default function UserSignupScreen() {
  const t = useTranslations('userSignup')
  const { demoMail } = useLoaderData<typeof load>()
  const { created, failure, next, login, hasQuery } = useSignup(page.userLogin)
  return (
    <PosterForm title={t('title')} lead={t('lead')} motif="river" tight>
      <PageHead title={t('title')} description={t('description')} address={page.userSignup} hidden={hasQuery} />
      {created ? (
        <AccountCreated
          kind="user"
          form={page.userSignup}
          login={login}
          demoMail={demoMail}
          soon={t.rich('doneText', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}
          link={t.rich('doneLink', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}
        />
      ) : (
        <>
          <AlreadyIn kind="user">
            {t.rich('already', { link: (chunks) => <TextLink href={next ?? page.home}>{chunks}</TextLink> })}
          </AlreadyIn>
          <SignupForm failure={failure} />
          <GoogleWay next={next} />
          <OtherWays>
            <p>{t.rich('have', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}</p>
            <p>
              {t.rich('business', {
                link: (chunks) => <TextLink href={loginPageWithNext(page.businessSignup, next)}>{chunks}</TextLink>,
              })}
            </p>
          </OtherWays>
        </>
      )}
    </PosterForm>
  )
}

function SignupForm({ failure }: { failure: SignupFailure | undefined }) {
  const t = useTranslations('userSignup')
  const say = useTranslations('signup')
  const { search } = useLocation()
  const { form, faults, sending } = usePageForm(page.userSignup, failure)
  useFormDraft(form.ref, page.userSignup, draftNames, failure?.typed)
  return (
    <Form {...form} action={page.userSignup + search} aria-label={t('title')}>
      {failure && !sending && <SignupFailed refused={failure.refused} />}
      <TextField
        id="signup-name"
        name="display_name"
        label={t('name')}
        help={t('nameHelp')}
        autoComplete="nickname"
        defaultValue={failure?.typed['display_name']}
        error={faults['display_name']}
        required
      />
      <EmailField id="signup-email" defaultValue={failure?.typed['email']} error={faults['email']} />
      <NewPassword id="signup-password" error={faults['password']} own={['email', 'display_name']} />
      <Checkbox
        id="signup-terms"
        name="accepts_terms"
        defaultChecked={failure?.typed['accepts_terms'] === 'on'}
        error={faults['accepts_terms']}
        label={say.rich('terms', {
          terms: (chunks) => <TextLink href={page.terms}>{chunks}</TextLink>,
          privacy: (chunks) => <TextLink href={page.privacy}>{chunks}</TextLink>,
        })}
        required
      />
      <HumanCheck sending={sending} />
      <SubmitButton sending={sending} sendingText={say('submitting')} native>
        {t('submit')}
      </SubmitButton>
    </Form>
  )
}
