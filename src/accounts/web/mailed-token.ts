import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { useHydrated } from '../../kit/browser/hydrated.ts'

/** The token of a mailed link, which stands in the address. Opening the page does nothing with it: mail scanners do that. */
export async function loadToken({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  return { token: query.get('token') ?? query.get('subscriber') ?? '', done: query.get('done') ?? '' }
}

/**
 * From `?token=` (`?subscriber=` in the mails' own header), or behind a `#`, where only a script sees it; `sent` is one that
 * came by the form. `query` is what keeps it in the address of the form: a link stays whole after a refusal and a reload.
 */
export function useMailedToken(sent?: string): { token: string; done: string; query: string } {
  const { token, done } = useLoaderData<typeof loadToken>()
  const { search, hash } = useLocation()
  const alive = useHydrated()
  const hidden = alive ? new URLSearchParams(hash.slice(1)).get('token') : null
  return { token: token || hidden || sent || '', done, query: search + (alive ? hash : '') }
}

/**
 * Pages with a token in their address are kept nowhere, and tell nobody outside where one came from. (With `no-referrer`
 * their own form would be sent without an origin, as if it came from elsewhere.)
 */
export const tokenPageHeaders = () => ({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' })
