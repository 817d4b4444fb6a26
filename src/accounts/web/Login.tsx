import { useEffect, useRef } from 'react'
import { Form, useActionData, useLoaderData, useLocation, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { ownPath } from '../../kit/shared/own-path.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
import { useSession } from './session.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useFormDraft } from '../../kit/browser/use-form-draft.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { PosterForm, OtherWays } from './PosterForm.tsx'
import { CodeField, EmailField, CurrentPassword } from './fields.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { usePageForm } from '../../kit/browser/forms/use-page-form.ts'
import { loginDraftNames, SubmitButton } from './forms.tsx'
import { ways, type loadLogin, type LoginKind, type LoginOutcome } from './login-actions.ts'
import { DemoMail, NoScript, TextLink } from './parts.tsx'

/** Texts of the login, for visitors or for merchants. */
function useWords(kind: LoginKind) {
  const toVisitors = useTranslations('userLogin')
  const toMerchants = useTranslations('businessLogin')
  return kind === 'user' ? toVisitors : toMerchants
}

/** The login form of visitors and of merchants. */
export function Login({ kind }: { kind: LoginKind }) {
  const t = useWords(kind)
  const [query] = useSearchParams()
  const next = ownPath(query.get('next'))
  const { signup, other, motif } = ways[kind]
  return (
    <PosterForm title={t('title')} lead={t('lead')} motif={motif} tight>
      <PageHead title={t('title')} description={t('description')} hidden />
      <LoginForm kind={kind} next={next} />
      <OtherWays>
        <p>
          {t.rich('new', { link: (chunks) => <TextLink href={loginPageWithNext(signup, next)}>{chunks}</TextLink> })}
        </p>
        <p>
          {t.rich('other', { link: (chunks) => <TextLink href={loginPageWithNext(other, next)}>{chunks}</TextLink> })}
        </p>
      </OtherWays>
    </PosterForm>
  )
}

function LoginForm({ kind, next }: { kind: LoginKind; next: string | null }) {
  const t = useWords(kind)
  const outcome = useActionData() as LoginOutcome | undefined
  const { path } = ways[kind]
  const { search } = useLocation()
  const { form, faults, sending } = usePageForm(path, outcome)
  const { ref } = form
  useFormDraft(ref, path, loginDraftNames)
  const asksCode = outcome?.asksCode ?? false
  const code = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (outcome?.asksCode) code.current?.querySelector('input')?.focus()
    else if (outcome && !outcome.refused.fields) ref.current?.querySelector<HTMLElement>('[name="password"]')?.focus()
  }, [outcome, ref])
  return (
    <>
      <Welcome kind={kind} next={next} quiet={outcome !== undefined} />
      <NoScript kind="login" />
      <Form {...form} action={path + search} aria-label={t('title')} className={`${form.className} noscript:hidden`}>
        {outcome && !sending && <NotLoggedIn outcome={outcome} code={t('code')} />}
        <input type="hidden" name="next" value={next ?? ''} />
        <EmailField
          id="login-email"
          autoComplete="username"
          defaultValue={outcome?.typed.email}
          error={faults['email']}
        />
        <CurrentPassword id="login-password" error={faults['password']} />
        {asksCode && (
          <div ref={code}>
            <CodeField id="login-code" error={faults['totp']} />
          </div>
        )}
        <SubmitButton sending={sending} sendingText={t('sending')}>
          {t('submit')}
        </SubmitButton>
        <p className="-my-2">
          <a
            href={`${page.forgotPassword}${kind === 'business' ? '?kind=business' : ''}`}
            className="link inline-flex min-h-11 items-center"
          >
            {t('forgot')}
          </a>
        </p>
        {kind === 'user' && <GoogleWay next={next} />}
      </Form>
    </>
  )
}

/** Link to the Google login. Also shown where Google is not set up: its page says so. */
export function GoogleWay({ next }: { next: string | null }) {
  const t = useTranslations('userLogin')
  return (
    <div className="grid gap-4">
      <p
        aria-hidden="true"
        className="flex items-center gap-3 text-sm text-ink-soft before:h-0.5 before:flex-1 before:bg-hair after:h-0.5 after:flex-1 after:bg-hair"
      >
        {t('or')}
      </p>
      <ButtonLink href={loginPageWithNext(page.googleLogin, next)} size="lg" wide>
        {t('google')}
      </ButtonLink>
    </div>
  )
}

/** Says why the login is needed. @param quiet the form shows an answer instead */
function Welcome({ kind, next, quiet }: { kind: LoginKind; next: string | null; quiet: boolean }) {
  const t = useWords(kind)
  const say = useTranslations('signup')
  const { demoMail, happened } = useLoaderData<typeof loadLogin>()
  const [query] = useSearchParams()
  const { state } = useLocation() as { state: { created?: true } | null }
  const session = useSession()
  const alive = useHydrated()
  if (quiet) return null
  const why = query.get('why')
  if (alive && state?.created)
    return (
      <Notice kind="success">
        {say('done', { kind })}
        <DemoMail path={demoMail} />
      </Notice>
    )
  if (why === 'ended') return <Notice>{t('ended')}</Notice>
  if (why === 'changed' && happened) return <Notice kind="success">{t('changed')}</Notice>
  if (session !== 'guest') {
    const isBusiness = session === 'business'
    const isOwnKind = isBusiness === (kind === 'business')
    const own = isBusiness ? page.dashboard : page.home
    return (
      <Notice kind={isOwnKind ? 'success' : 'info'}>
        {t.rich(isOwnKind ? 'already' : 'alreadyOther', {
          // `next` may be a page of the other kind of account
          link: (chunks) => <TextLink href={(isOwnKind && next) || own}>{chunks}</TextLink>,
        })}
      </Notice>
    )
  }
  if (!next) return null
  return (
    <Notice>
      {t('asked')}
      {kind === 'user' && next.startsWith(page.mySchedule) && <WaitingPicks />}
    </Notice>
  )
}

/** Says how many events picked on this phone will be added to the schedule by the login. */
function WaitingPicks() {
  const t = useTranslations('picks')
  const { length } = usePicks(scheduleOutbox)
  return length > 0 && <p className="font-semibold">{t('waiting', { n: length })}</p>
}

function NotLoggedIn({ outcome: { refused, asksCode }, code }: { outcome: LoginOutcome; code: string }) {
  const t = useTranslations('accountForms')
  if (refused.code === 'totp_required') return <Notice>{refused.error || code}</Notice>
  // The server's message does not say whether password or code was wrong; only here the code was just entered.
  if (asksCode && refused.code === 'wrong_credentials' && refused.error)
    return (
      <Notice kind="error" title={refused.error}>
        {t('codeWrong')}
      </Notice>
    )
  if (refused.code === 'too_early') return <Notice kind="warn">{t('early')}</Notice>
  // An answer without a token is no login.
  if (refused.code === 'unreadable' && !refused.error) return <Notice kind="error">{t('loginFailed')}</Notice>
  if (refused.code === 'storage_shut') return <Notice kind="error">{t('storageShut')}</Notice>
  return <Refused refused={refused} />
}
