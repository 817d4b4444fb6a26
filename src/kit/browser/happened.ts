import { redirect, type RouterContextProvider } from 'react-router'
import { happenedCookie, hasJustHappened } from '../shared/happened.ts'
import { pageContext } from './asking.ts'

/**
 * On to the address that says what a form has done, which can be reloaded without sending twice. An address alone can be sent
 * to anybody, so a cookie tells the browser in which it happened, for ten minutes; on the server and in the browser alike.
 */
export function happenedAt(context: Readonly<RouterContextProvider>, address: string): Response {
  const cookie = happenedCookie(address, context.get(pageContext).origin.startsWith('https:'))
  if (typeof document === 'undefined') return redirect(address, { status: 303, headers: { 'set-cookie': cookie } })
  document.cookie = cookie
  return redirect(address, 303)
}

/** Whether what the address of the request says has just happened in this browser. */
export function hasHappened(request: Request): boolean {
  const { pathname, search } = new URL(request.url)
  const cookies = typeof document === 'undefined' ? (request.headers.get('cookie') ?? '') : document.cookie
  return hasJustHappened(cookies, pathname + search)
}
