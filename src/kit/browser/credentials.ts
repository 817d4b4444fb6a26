/** The token of calls. The app sets it once at start: the kit does not know where tokens are stored or how they are renewed. */
export interface Credentials {
  /** The current token; null: nobody is logged in. */
  token: () => string | null
  /** Gets another token after the server refused this one. */
  renew: (refused: string) => Promise<Renewal>
  /** Called when the server has ended the session. */
  end: () => void
}

/**
 * `renewed`: there is a new token. `ended`: the server gave none. `none`: there is no refresh token to ask with.
 * `unreachable`: no answer, so the session may still be valid.
 */
export type Renewal = 'renewed' | 'ended' | 'none' | 'unreachable'

/** One for the page: everything in it asks as the same person. Nobody is logged in until the app sets it. */
let current: Credentials = { token: () => null, renew: async () => 'none', end: () => {} }

export function setCredentials(given: Credentials): void {
  current = given
}

export const credentials = (): Credentials => current

/** Public endpoints answer an invalid token like none at all, with `www-authenticate`; the others answer 401. */
export const isTokenRefused = ({ status, headers }: Response): boolean =>
  status === 401 || headers.has('www-authenticate')

/** The header with a token. A token with characters that a header cannot hold is left out. */
export function bearer(token: string | null): { authorization?: string } {
  return token !== null && /^[\x21-\x7e]+$/.test(token) ? { authorization: `Bearer ${token}` } : {}
}
