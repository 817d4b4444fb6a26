import { data, Form, redirect, useActionData, type ActionFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { submit } from '../../kit/browser/asking.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'
import type { resetPassword } from '../contract.ts'
import { AccountPage, OtherWays } from './AccountPoster.tsx'
import { formOf, NewPassword, Refused, typedIn, usePageForm } from './forms.tsx'
import { loadToken, tokenPageHeaders, useMailedToken } from './mailed-token.ts'
import { TextLink } from './parts.tsx'

export { loadToken as loader, loadToken as clientLoader, tokenPageHeaders as headers }

async function save({ context, request }: ActionFunctionArgs) {
  const { token = '', password = '' } = typedIn(await formOf(request), 'token', 'password')
  const body = { token, password }
  const { answer, refused } = await submit<typeof resetPassword>(context, 'POST /api/auth/reset', { body })
  if (refused) return data({ refused, token }, { status: refused.status || 503 })
  const login = answer.body.kind === 'business' ? page.businessLogin : page.userLogin
  return redirect(`${login}?why=changed`, 303)
}
export { save as action, save as clientAction }

export default function ResetPasswordScreen() {
  const t = useTranslations('resetPassword')
  const common = useTranslations('accountForms')
  const outcome = useActionData<typeof save>()
  const link = useMailedToken(outcome?.token)
  const { token } = link
  const dead = outcome?.refused.code === 'link_invalid'
  return (
    <AccountPage title={t('title')} lead={t('lead')} motif="key">
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
    </AccountPage>
  )
}

function PasswordForm({
  link,
  outcome,
}: {
  link: ReturnType<typeof useMailedToken>
  outcome: ReturnType<typeof useActionData<typeof save>>
}) {
  const t = useTranslations('resetPassword')
  const common = useTranslations('accountForms')
  const { form, faults, sending } = usePageForm(page.resetPassword, outcome)
  return (
    <Form {...form} {...link.form} action={page.resetPassword + link.query} aria-label={t('title')}>
      {outcome && !sending && <Refused refused={outcome.refused} />}
      <input type="hidden" name="token" value={link.token} />
      <NewPassword id="reset-password" label={common('newPassword')} error={faults['password']} />
      <Button type="submit" variant="primary" size="lg" wide loading={sending} loadingText={t('sending')}>
        {t('submit')}
      </Button>
    </Form>
  )
}
