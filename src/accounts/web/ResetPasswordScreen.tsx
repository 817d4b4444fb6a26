import 'texts:accountForms,forms,resetPassword'
import { useEffect, useRef } from 'react'
import { data, Form, useActionData, type ActionFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { happenedAt } from '../../kit/browser/happened.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { currentSession, logIn } from './session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import { PosterForm, OtherWays } from './PosterForm.tsx'
import { afterLogin } from './after-login.ts'
import { CodeField, NewPassword } from './fields.tsx'
import { InSight } from '../../kit/browser/forms/InSight.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { usePageForm } from '../../kit/browser/forms/use-page-form.ts'
import { loadToken, tokenPageHeaders, useMailedToken } from './mailed-token.ts'
import { TextLink } from './parts.tsx'
import { logOut, resetPassword } from '../contract.ts'

export { loadToken as loader, loadToken as clientLoader, tokenPageHeaders as headers }

interface ResetOutcome {
  refused: RefusedAnswer
  token: string
  /** The password is saved; the authentication code is missing or was wrong. */
  asksCode: boolean
}

async function read(request: Request) {
  const { token, password, totp } = typedIn(await formOf(request), 'token', 'password', 'totp')
  return { token, password, ...(totp ? { totp: totp.trim() } : {}) }
}

const loginAfterwards = (context: ActionFunctionArgs['context'], kind: 'user' | 'business') =>
  happenedAt(context, `${kind === 'business' ? page.businessLogin : page.userLogin}?why=changed`)

/** In the browser: stores the session and returns the next page. */
async function saveInBrowser({
  context,
  request,
}: ActionFunctionArgs): Promise<ResetOutcome | Response | { goOn: string }> {
  const body = await read(request)
  const { answer, refused } = await ask(callByFetch, resetPassword, { body })
  if (refused) {
    const asksCode = refused.code === 'totp_required' || (refused.code !== 'link_invalid' && 'totp' in body)
    return { refused, token: body.token, asksCode }
  }
  const { kind } = answer.body
  // The password is saved even if the answer holds no session.
  if (!answer.body.authToken || !logIn(answer.body, kind) || currentSession() === 'guest')
    return loginAfterwards(context, kind)
  return { goOn: await afterLogin(null, kind) }
}

/**
 * On the server: the form was sent without JavaScript, or before it had loaded. The password is saved. Only a script can store a
 * session, so the one that was started ends at once.
 */
async function save({ context, request }: ActionFunctionArgs) {
  const body = await read(request)
  const { answer, refused } = await ask(context, resetPassword, { body })
  if (refused?.code === 'totp_required') return loginAfterwards(context, 'user')
  if (refused) {
    const outcome: ResetOutcome = { refused, token: body.token, asksCode: false }
    return data(outcome, { status: refused.status || 503 })
  }
  const { refreshToken, kind } = answer.body
  await ask(context, logOut, { body: { refreshToken } })
  return loginAfterwards(context, kind)
}
export { save as action, saveInBrowser as clientAction }

export default function ResetPasswordScreen() {
  const t = useTranslations('resetPassword')
  const common = useTranslations('accountForms')
  const answered = useActionData() as ResetOutcome | { goOn: string } | undefined
  const outcome = answered && 'refused' in answered ? answered : undefined
  const link = useMailedToken(outcome?.token)
  const { token } = link
  const dead = outcome?.refused.code === 'link_invalid'
  if (answered && 'goOn' in answered)
    return (
      <PosterForm title={t('title')} lead={t('lead')} motif="key">
        <PageHead title={t('title')} description={t('description')} hidden />
        <InSight>
          <Notice kind="success" title={t('done')}>
            {t('doneText')}
          </Notice>
        </InSight>
        <ButtonLink href={answered.goOn} variant="primary" size="lg" className="justify-self-start">
          {t('next')}
        </ButtonLink>
      </PosterForm>
    )
  return (
    <PosterForm title={t('title')} lead={t('lead')} motif="key">
      <PageHead title={t('title')} description={t('description')} hidden />
      {token && !dead && <PasswordForm link={link} outcome={outcome} />}
      {dead && <Refused refused={outcome.refused} />}
      {!token && !dead && (
        <div className="grid gap-2">
          <h2 className="text-xl">{common('linkAbsent.title')}</h2>
          <p>{common('linkAbsent.text')}</p>
        </div>
      )}
      {(dead || !token) && (
        <ButtonLink href={page.forgotPassword} variant="primary" size="lg" className="justify-self-start">
          {t('again')}
        </ButtonLink>
      )}
      <OtherWays>
        <p className="flex flex-wrap gap-x-6">
          <TextLink href={page.userLogin}>{common('toUserLogin')}</TextLink>
          <TextLink href={page.businessLogin}>{common('toBusinessLogin')}</TextLink>
        </p>
      </OtherWays>
    </PosterForm>
  )
}

function PasswordForm({
  link,
  outcome,
}: {
  link: ReturnType<typeof useMailedToken>
  outcome: ResetOutcome | undefined
}) {
  const t = useTranslations('resetPassword')
  const common = useTranslations('accountForms')
  const { form, faults, sending } = usePageForm(page.resetPassword, outcome)
  const asksCode = outcome?.asksCode ?? false
  const isQuestion = outcome?.refused.code === 'totp_required'
  const code = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (asksCode) code.current?.querySelector('input')?.focus()
  }, [asksCode])
  return (
    <Form {...form} {...link.form} action={page.resetPassword + link.query} aria-label={t('title')}>
      {asksCode && <Notice>{t('codeText')}</Notice>}
      {outcome && !isQuestion && !sending && <Refused refused={outcome.refused} />}
      <input type="hidden" name="token" value={link.token} />
      {/* it goes along with the code: the link counts for who knows the password that it has just set */}
      <div hidden={asksCode}>
        <NewPassword id="reset-password" label={common('newPassword')} error={faults['password']} />
      </div>
      {asksCode && (
        <div ref={code}>
          <CodeField id="reset-code" error={faults['totp']} />
        </div>
      )}
      <Button type="submit" variant="primary" size="lg" wide loading={sending} loadingText={t('sending')}>
        {t(asksCode ? 'submitCode' : 'submit')}
      </Button>
    </Form>
  )
}
