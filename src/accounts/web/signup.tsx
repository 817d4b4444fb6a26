import { useEffect, useRef, type ReactNode } from 'react'
import Check from 'lucide-react/icons/check'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { data, useActionData, useLoaderData, useNavigate, useSearchParams, type ActionFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { happenedAt } from '../../kit/browser/happened.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { ownPath } from '../../kit/shared/own-path.ts'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { deleteFormDraft, storeFormDraft, readFormDraft } from '../../kit/browser/form-drafts.ts'
import type { AnyEndpoint, ReceivedFile } from '../../kit/shared/endpoint.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { humanCheck, prepareHumanCheck } from './human-check.ts'
import { InSight } from '../../kit/browser/forms/InSight.tsx'
import type { Typed } from '../../kit/browser/forms/typed.ts'
import { DemoMail } from './parts.tsx'

/** Specified: a signup is sent after two seconds, and the login opens three seconds after success. */
const delayMs = 2000
const redirectMs = 3000
/** Longest wait for the human check; after it the signup is sent without one. */
const checkPatienceMs = 8000

type Files = Readonly<Record<string, Blob>>

export interface SignupFailure {
  done: false
  refused: RefusedAnswer
  typed: Typed
}
export type SignupOutcome = { done: true } | SignupFailure

/**
 * State of a signup page. `created`: the account was created; known from the action, or without JavaScript from `?created=yes`.
 * `next`: page to open after the login.
 */
export function useSignup(loginPage: string) {
  const { created } = useLoaderData<{ created: boolean }>()
  const outcome = useActionData() as SignupOutcome | undefined
  const [query] = useSearchParams()
  const next = ownPath(query.get('next'))
  return {
    created: created || outcome?.done === true,
    failure: outcome && !outcome.done ? outcome : undefined,
    next,
    login: loginPageWithNext(loginPage, next),
    hasQuery: query.size > 0,
  }
}

/** Signup in the browser: computes the human check during the specified two seconds, then sends. */
export async function signUpInBrowser<E extends AnyEndpoint>(
  endpoint: E,
  request: Request,
  { body, files, typed }: { body: Record<string, unknown>; files?: Files; typed: Typed },
): Promise<SignupOutcome> {
  const [altcha] = await Promise.all([
    humanCheck(checkPatienceMs),
    new Promise((resolve) => setTimeout(resolve, delayMs)),
  ])
  request.signal.throwIfAborted()
  const sent = { ...body, ...(altcha ? { altcha } : {}) }
  const { refused } = await ask(callByFetch, endpoint, { typed: true, body: sent, ...(files ? { files } : {}) })
  return refused ? { done: false, refused, typed } : { done: true }
}

/** Signup on the server, for browsers without JavaScript: no delay, no human check, pictures uncompressed. */
export async function signUpOnServer<E extends AnyEndpoint>(
  context: ActionFunctionArgs['context'],
  endpoint: E,
  { request, body, files, typed }: { request: Request; body: Record<string, unknown>; files?: Files; typed: Typed },
) {
  const sent = files ? { files: await readFiles(files) } : {}
  const { refused } = await ask(context, endpoint, { typed: true, body, ...sent })
  if (refused) return data({ done: false, refused, typed } satisfies SignupOutcome, { status: refused.status || 503 })
  const { pathname, searchParams } = new URL(request.url)
  const next = ownPath(searchParams.get('next'))
  return happenedAt(context, `${pathname}?${new URLSearchParams({ created: 'yes', ...(next && { next }) }).toString()}`)
}

async function readFiles(files: Files): Promise<Record<string, ReceivedFile>> {
  const read = async ([field, file]: [string, Blob]) => {
    const { name = '' } = file as Partial<File>
    return [field, { bytes: new Uint8Array(await file.arrayBuffer()), name, type: file.type }] as const
  }
  return Object.fromEntries(await Promise.all(Object.entries(files).map(read)))
}

/** Box about the specified human check, which starts at the first focus in the form. */
export function HumanCheck({ sending }: { sending: boolean }) {
  const t = useTranslations('signup')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const form = box.current?.closest('form')
    const begin = () => prepareHumanCheck()
    form?.addEventListener('focusin', begin, { once: true })
    return () => form?.removeEventListener('focusin', begin)
  }, [])
  return (
    <div ref={box} className="flex items-start gap-3 rounded-6 border-2 border-dashed border-rule p-3 noscript:hidden">
      <ShieldCheck aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-link" />
      <div className="grid gap-0.5">
        <p className="text-sm font-semibold">{t('checkTitle')}</p>
        <p className="text-sm text-ink-soft">{t('checkText')}</p>
        {sending && (
          <p className="flex items-center gap-2 text-sm font-semibold">
            <Bars />
            {t('checkWorking')}
          </p>
        )}
      </div>
    </div>
  )
}

/** The specified error message; below it the reason, or how many fields to check. */
export function SignupFailed({ refused }: { refused: RefusedAnswer }) {
  const t = useTranslations('signup')
  const common = useTranslations('forms')
  const count = Object.keys(refused.fields ?? {}).length
  const detail = count > 0 ? common('check', { count }) : refused.status === 0 ? common('offline') : refused.error
  return (
    <InSight>
      <Notice kind="error" title={t('failed')}>
        {detail && <p>{detail}</p>}
      </Notice>
    </InSight>
  )
}

/** Says that the account was created and opens the login after three seconds; without JavaScript it shows `link` instead. */
export function AccountCreated({
  kind,
  form,
  login,
  demoMail,
  soon,
  link,
}: {
  kind: 'user' | 'business'
  /** Form whose draft is deleted. */
  form: string
  login: string
  demoMail: string | null
  soon: ReactNode
  link: ReactNode
}) {
  const t = useTranslations('signup')
  const navigate = useNavigate()
  const title = useRef<HTMLParagraphElement>(null)
  const isHydrated = useHydrated()
  useEffect(() => {
    // The login page that follows shows this email, filled in.
    const { email } = readFormDraft(form)
    if (email) storeFormDraft(kind === 'user' ? page.userLogin : page.businessLogin, { email })
    deleteFormDraft(form)
  }, [form, kind])
  useEffect(() => {
    // The form, which had the focus, is gone: move the focus to the title, so that screen readers read it.
    title.current?.focus()
    const timer = setTimeout(() => void navigate(login, { replace: true, state: { created: true } }), redirectMs)
    return () => clearTimeout(timer)
  }, [login, navigate])
  return (
    <div className="grid gap-4 rounded-6 border-2 border-night bg-lantern p-6 text-on-lantern [&_a]:text-on-lantern">
      <Check aria-hidden="true" className="size-10" strokeWidth={3} />
      <p ref={title} tabIndex={-1} className="figure text-2xl leading-tight">
        <output>{t('done', { kind })}</output>
      </p>
      <p>{isHydrated ? soon : link}</p>
      <DemoMail path={demoMail} />
    </div>
  )
}
