import 'texts:accountForms,forms,googleLogin'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useLoaderData, useLocation, useNavigate, useSearchParams, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { ownPath } from '../../kit/shared/own-path.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { logIn } from './session.ts'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { PosterForm } from './PosterForm.tsx'
import { afterLogin } from './after-login.ts'
import { CodeField, CurrentPassword } from './fields.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { typedIn } from '../../kit/browser/forms/typed.ts'
import { useFaults } from '../../kit/browser/forms/use-faults.ts'
import { NoScript, TextLink } from './parts.tsx'
import { siteOptions } from './site-options.ts'
import { exchangeGoogle } from '../contract.ts'

async function load({ context }: LoaderFunctionArgs) {
  return siteOptions(context)
}
export { load as loader, load as clientLoader }

/** Before Google: what Google tells us, and the link. After Google: `#code=` or `#error=` in the address. */
export default function GoogleLoginScreen() {
  const t = useTranslations('googleLogin')
  const { google } = useLoaderData<typeof load>()
  const [query] = useSearchParams()
  const next = ownPath(query.get('next'))
  const back = useWayBack()
  return (
    <PosterForm title={t('title')} lead={t('lead')} motif="river">
      <PageHead title={t('title')} address={page.googleLogin} hidden />
      <NoScript kind="google" />
      {back?.code ? (
        <Arriving key={back.code} code={back.code} next={next} />
      ) : (
        <>
          {back?.error && (
            <Notice kind={back.error === 'cancelled' ? 'info' : 'error'}>{t(`errors.${known(back.error)}`)}</Notice>
          )}
          {google ? <Leaving next={next} again={back?.error !== undefined} /> : <NotSetUp next={next} />}
        </>
      )}
    </PosterForm>
  )
}

const errors = ['cancelled', 'unverified', 'unavailable'] as const
const known = (error: string) => errors.find((each) => each === error) ?? 'other'

/** Reads code or error once and removes it from the address, so that neither reload nor history bring it back. */
function useWayBack(): { code: string | null; error: string | undefined } | null {
  const { hash, pathname, search } = useLocation()
  const alive = useHydrated()
  const navigate = useNavigate()
  const [arrived, setArrived] = useState('')
  if (alive && hash !== '' && hash !== arrived) setArrived(hash)
  useEffect(() => {
    if (arrived !== '') void navigate(pathname + search, { replace: true })
  }, [arrived, pathname, search, navigate])
  const values = new URLSearchParams(arrived.slice(1))
  return arrived === '' ? null : { code: values.get('code'), error: values.get('error') ?? undefined }
}

function Leaving({ next, again }: { next: string | null; again: boolean }) {
  const t = useTranslations('googleLogin')
  return (
    <>
      <p className="max-w-[44ch] text-lg">{t('text')}</p>
      <p className="max-w-[60ch] text-sm text-ink-soft">
        {t.rich('terms', {
          terms: (chunks) => <TextLink href={page.terms}>{chunks}</TextLink>,
          privacy: (chunks) => <TextLink href={page.privacy}>{chunks}</TextLink>,
        })}
      </p>
      <ButtonLink
        href={`/api/auth/google/start${next ? `?next=${encodeURIComponent(next)}` : ''}`}
        variant="primary"
        size="lg"
        wide
        className="noscript:hidden"
      >
        {t(again ? 'again' : 'go')}
      </ButtonLink>
      <ButtonLink href={loginOf(next)} size="lg" wide>
        {t('toLogin')}
      </ButtonLink>
    </>
  )
}

const loginOf = (next: string | null) => loginPageWithNext(page.userLogin, next)

function NotSetUp({ next }: { next: string | null }) {
  const t = useTranslations('googleLogin')
  return (
    <>
      <div className="grid gap-2">
        <h2 className="text-xl">{t('off')}</h2>
        <p className="text-lg">{t('offText')}</p>
      </div>
      <ButtonLink href={loginOf(next)} variant="primary" size="lg" wide>
        {t('toLogin')}
      </ButtonLink>
    </>
  )
}

/** Exchanges the code for a session. Asks for the account's password or authentication code if the server wants it. */
function Arriving({ code, next }: { code: string; next: string | null }) {
  const t = useTranslations('googleLogin')
  const common = useTranslations('accountForms')
  const navigate = useNavigate()
  const [waiting, setWaiting] = useState(true)
  const [outcome, setOutcome] = useState<{ refused: RefusedAnswer; password: boolean; totp: boolean } | null>(null)
  const [shut, setShut] = useState(false)
  const { form, faults, check } = useFaults(outcome, waiting)
  const begun = useRef(false)

  const exchange = async (more: { password?: string; totp?: string }) => {
    setWaiting(true)
    const { answer, refused } = await ask(callByFetch, exchangeGoogle, {
      body: { code, ...more },
    })
    if (answer) {
      if (!logIn(answer.body, 'user')) return setShut(true)
      return navigate(await afterLogin(ownPath(answer.body.next) ?? next, 'user'), { replace: true })
    }
    // A field that was asked for once stays in the form.
    setOutcome((before) => ({
      refused,
      password: before?.password || refused.code === 'password_required',
      totp: before?.totp || refused.code === 'totp_required',
    }))
    setWaiting(false)
  }
  const first = useRef(exchange)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void first.current({})
  }, [])

  const asking = outcome?.refused.code
  useEffect(() => {
    const name = asking === 'totp_required' ? 'totp' : asking === 'password_required' ? 'password' : null
    if (name) form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  }, [asking, form])

  if (shut) return <Notice kind="error">{common('storageShut')}</Notice>
  if (!outcome)
    return (
      <output className="figure flex items-center gap-3 text-xl">
        <Bars />
        {t('working')}
      </output>
    )
  const { refused, password, totp } = outcome
  if (refused.code === 'link_invalid' || !(password || totp))
    return (
      <>
        {refused.code === 'link_invalid' ? <Notice kind="warn">{t('expired')}</Notice> : <Refused refused={refused} />}
        <Leaving next={next} again />
      </>
    )
  const send = (event: FormEvent<HTMLFormElement>) => {
    if (!check(event)) return
    event.preventDefault()
    const typed = typedIn(new FormData(event.currentTarget), 'password', 'totp')
    void exchange(Object.fromEntries(Object.entries(typed).filter(([, value]) => value)))
  }
  const isQuestion = refused.code === 'password_required' || refused.code === 'totp_required'
  return (
    <form ref={form} noValidate onSubmit={send} className="grid gap-5" aria-label={t('passwordTitle')}>
      <div className="grid gap-2">
        <h2 className="text-xl">{t('passwordTitle')}</h2>
        <p>{password ? t('passwordText') : common('codeText')}</p>
      </div>
      {!isQuestion && !waiting && <Refused refused={refused} />}
      {password && <CurrentPassword id="google-password" error={faults['password']} />}
      {totp && <CodeField id="google-code" error={faults['totp']} />}
      <Button type="submit" variant="primary" size="lg" wide loading={waiting} loadingText={t('working')}>
        {password ? t('submit') : t('submitCode')}
      </Button>
    </form>
  )
}
