import { redirect, type RouterContextProvider } from 'react-router'
import { happenedCookie, hasJustHappened } from '../shared/happened.ts'
import { pageContext } from './ask.ts'

/**
 * Redirects after a form to the address that confirms it, so that a reload does not send the form twice. A cookie of ten
 * minutes proves that it happened in this browser: without it, anybody could be sent a link that says "Account created".
 */
export function happenedAt(context: Readonly<RouterContextProvider>, address: string): Response {
  const cookie = happenedCookie(address, context.get(pageContext).origin.startsWith('https:'))
  if (typeof document === 'undefined') return redirect(address, { status: 303, headers: { 'set-cookie': cookie } })
  document.cookie = cookie
  return redirect(address, 303)
}

/** Whether the form that the request's address confirms was sent in this browser in the last ten minutes. */
export function hasHappened(request: Request): boolean {
  const { pathname, search } = new URL(request.url)
  const cookies = typeof document === 'undefined' ? (request.headers.get('cookie') ?? '') : document.cookie
  return hasJustHappened(cookies, pathname + search)
}
