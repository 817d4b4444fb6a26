import 'texts:accountForms,forms,newsletter'
import { data, useActionData, type ActionFunctionArgs } from 'react-router'
import { ask } from '../../kit/browser/ask.ts'
import { happenedAt } from '../../kit/browser/happened.ts'
import { page } from '../../site-map.ts'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { loadToken, tokenPageHeaders } from '../../accounts/web/mailed-token.ts'
import { NewsletterTap } from './NewsletterTap.tsx'
import { confirmNewsletter } from '../contract.ts'

export { loadToken as loader, loadToken as clientLoader, tokenPageHeaders as headers }

async function go({ context, request }: ActionFunctionArgs) {
  const { token } = typedIn(await formOf(request), 'token')
  const { refused } = await ask(context, confirmNewsletter, { body: { token } })
  if (refused) return data({ refused, token }, { status: refused.status || 503 })
  return happenedAt(context, `${page.newsletterConfirm}?done=yes`)
}
export { go as action, go as clientAction }

export default function NewsletterConfirmScreen() {
  const outcome = useActionData<typeof go>()
  return <NewsletterTap way="confirm" path={page.newsletterConfirm} outcome={outcome} />
}
