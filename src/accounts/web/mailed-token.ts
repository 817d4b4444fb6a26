import { useEffect } from 'react'
import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { hasHappened } from '../../kit/browser/happened.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'

/** Reads the token of a mailed link from the address. Does nothing with it: mail scanners open links too. */
export async function loadToken({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const done = hasHappened(request) ? (query.get('done') ?? '') : ''
  return { token: query.get('token') ?? query.get('subscriber') ?? '', done }
}

const names = ['token', 'subscriber']

/**
 * The token from `?token=` (`?subscriber=` in a mail's unsubscribe header), or behind a `#`, where only a script sees it. A script
 * moves it from the address bar into the history entry, which only this tab can read, so that reload and back still find it. Without
 * JavaScript it stays in the address, or a refusal would lose it.
 * @param sent a token that was sent by the form
 * @returns `form`: props of the page's form, which replaces that entry
 */
export function useMailedToken(sent?: string) {
  const { token: asked, done } = useLoaderData<typeof loadToken>()
  const { search, hash, state } = useLocation()
  const alive = useHydrated()
  const hidden = alive ? new URLSearchParams(hash.slice(1)).get('token') : null
  const stored = alive ? (state as { mailedToken?: string } | null)?.mailedToken : null
  const token = asked || hidden || stored || sent || ''
  useEffect(() => {
    if (token) takeOutOfAddress(token)
  }, [token])
  const form = { replace: true, state: { mailedToken: token } }
  return { token, done, form, query: alive ? '' : search }
}

/** Not through the router, which would load the page again and lose the answer of its form. */
function takeOutOfAddress(token: string) {
  const { pathname, search, hash } = location
  const query = new URLSearchParams(search)
  const behind = new URLSearchParams(hash.slice(1))
  if (![query, behind].some((each) => names.some((name) => each.has(name)))) return
  for (const name of names) query.delete(name)
  const { usr, ...entry } = (history.state ?? {}) as { usr?: object }
  const rest = query.size > 0 ? `?${query}` : ''
  history.replaceState({ ...entry, usr: { ...usr, mailedToken: token } }, '', pathname + rest)
}

/** Pages with a token in their address must not be cached, and must not send their address as referrer. */
export const tokenPageHeaders = () => ({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
