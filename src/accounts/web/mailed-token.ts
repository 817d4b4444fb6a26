import { useEffect } from 'react'
import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { hasHappened } from '../../kit/browser/happened.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'

/** The token of a mailed link, which stands in the address. Opening the page does nothing with it: mail scanners do that. */
export async function loadToken({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const done = hasHappened(request) ? (query.get('done') ?? '') : ''
  return { token: query.get('token') ?? query.get('subscriber') ?? '', done }
}

const names = ['token', 'subscriber']

/**
 * The token from `?token=` (`?subscriber=` in the mails' own header), or behind a `#`, where only a script sees it; `sent` is
 * one that came by the form. A script takes it out of the address bar at once and keeps it in the history entry, which only
 * this tab reads, so a reload or a way back still finds it. `form` is for the form of the page: it replaces that entry.
 * Without a script the token stays in the address, or a refusal would lose it.
 */
export function useMailedToken(sent?: string) {
  const { token: asked, done } = useLoaderData<typeof loadToken>()
  const { search, hash, state } = useLocation()
  const alive = useHydrated()
  const hidden = alive ? new URLSearchParams(hash.slice(1)).get('token') : null
  const kept = alive ? (state as { mailedToken?: string } | null)?.mailedToken : null
  const token = asked || hidden || kept || sent || ''
  useEffect(() => {
    if (token) takeOutOfAddress(token)
  }, [token])
  const form = { replace: true, state: { mailedToken: token } }
  return { token, done, form, query: alive ? '' : search }
}

/** Past the router, which would load the page anew and forget what its form was answered. */
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

/** Pages with a token in their address are cached nowhere, and no request tells which address it came from. */
export const tokenPageHeaders = () => ({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
