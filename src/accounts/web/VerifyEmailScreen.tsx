import 'texts:accountForms,forms,verifyEmail'
import { useEffect } from 'react'
import { data, useActionData, type ActionFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { useSession } from './session.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { storeFormDraft } from '../../kit/browser/form-drafts.ts'
import { happenedAt } from '../../kit/browser/happened.ts'
import { page } from '../../site-map.ts'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { loadToken, tokenPageHeaders, useMailedToken } from './mailed-token.ts'
import { OneTap } from './OneTap.tsx'
import { noteAddress } from './unverified.ts'
import { verifyEmail } from '../contract.ts'

export { loadToken as loader, loadToken as clientLoader, tokenPageHeaders as headers }

async function confirm({ context, request }: ActionFunctionArgs) {
  const { token } = typedIn(await formOf(request), 'token')
  const { answer, refused } = await ask(context, verifyEmail, { body: { token } })
  if (refused) return data({ refused, token }, { status: refused.status || 503 })
  const { kind, changed, email } = answer.body
  // Fills in the login that follows. The server has no such store.
  if (email && !import.meta.env.SSR)
    storeFormDraft(kind === 'business' ? page.businessLogin : page.userLogin, { email })
  return happenedAt(context, `${page.verifyEmail}?done=${kind}${changed ? '-changed' : ''}`)
}
export { confirm as action, confirm as clientAction }

export default function VerifyEmailScreen() {
  const t = useTranslations('verifyEmail')
  const common = useTranslations('accountForms')
  const outcome = useActionData<typeof confirm>()
  const { done } = useMailedToken()
  const session = useSession()
  useEffect(() => {
    if (done) noteAddress(true)
  }, [done])
  const business = done.startsWith('business')
  const isHere = session !== 'guest' && (session === 'business') === business
  const login = business ? page.businessLogin : page.userLogin
  return (
    <OneTap
      path={page.verifyEmail}
      outcome={outcome}
      texts={{
        title: t('title'),
        lead: t('lead'),
        submit: t('submit'),
        sending: t('sending'),
        done: t('done'),
        doneText: t(done.endsWith('-changed') ? 'changedText' : 'doneText'),
        invalidText: t('invalidText'),
      }}
      after={
        <ButtonLink
          href={isHere ? (business ? page.dashboard : page.home) : login}
          variant="primary"
          size="lg"
          className="justify-self-start"
        >
          {isHere ? t('on') : common(business ? 'toBusinessLogin' : 'toUserLogin')}
        </ButtonLink>
      }
      invalid={
        <p className="flex flex-wrap gap-3">
          <ButtonLink href={page.userLogin} size="lg">
            {common('toUserLogin')}
          </ButtonLink>
          <ButtonLink href={page.businessLogin} size="lg">
            {common('toBusinessLogin')}
          </ButtonLink>
        </p>
      }
    />
  )
}
