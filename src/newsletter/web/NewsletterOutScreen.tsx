import 'texts:accountForms,forms,newsletter'
import { data, useActionData, type ActionFunctionArgs } from 'react-router'
import { ask } from '../../kit/browser/ask.ts'
import { happenedAt } from '../../kit/browser/happened.ts'
import { page } from '../../site-map.ts'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { loadToken, tokenPageHeaders } from '../../accounts/web/mailed-token.ts'
import { NewsletterTap } from './NewsletterTap.tsx'
import { unsubscribeNewsletter } from '../contract.ts'

export { loadToken as loader, loadToken as clientLoader, tokenPageHeaders as headers }

/**
 * Handles the button of this page and the one click of a mail program (RFC 8058). The mail program posts to the address in the
 * mail's header and follows no redirect.
 */
async function go({ context, request }: ActionFunctionArgs) {
  const form = typedIn(await formOf(request), 'token', 'List-Unsubscribe')
  const oneClick = form['List-Unsubscribe'] === 'One-Click'
  const subscriber = oneClick ? (new URL(request.url).searchParams.get('subscriber') ?? '') : (form['token'] ?? '')
  const { refused } = await ask(context, unsubscribeNewsletter, { query: { subscriber } })
  if (refused) return data({ refused, token: subscriber, done: false }, { status: refused.status || 503 })
  return oneClick
    ? { refused: null, token: '', done: true }
    : happenedAt(context, `${page.newsletterUnsubscribe}?done=yes`)
}
export { go as action, go as clientAction }

export default function NewsletterOutScreen() {
  const outcome = useActionData<typeof go>()
  return (
    <NewsletterTap
      way="out"
      path={page.newsletterUnsubscribe}
      outcome={outcome?.refused ? outcome : undefined}
      isDone={outcome?.done}
    />
  )
}
