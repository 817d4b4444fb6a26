/** How calls say who asks. The app hands it in once; where tokens are kept and what renews them is not known here. */
export interface Credentials {
  /** As it is kept now; null: nobody in particular asks. */
  token: () => string | null
  /** Another one, after the server has refused this one. */
  renew: (refused: string) => Promise<Renewal>
  /** The server knows this person no more. */
  end: () => void
}

/**
 * `renewed`: there is a token now that is not the refused one. `ended`: the server gave no other. `none`: there is nothing
 * to ask with. `unreachable`: no answer, so nobody knows.
 */
export type Renewal = 'renewed' | 'ended' | 'none' | 'unreachable'

let carried: Credentials = { token: () => null, renew: async () => 'none', end: () => {} }

export function carryCredentials(given: Credentials): void {
  carried = given
}

export const credentials = (): Credentials => carried

/** With a 401, or with the answer to everybody, where a token that is dead counts as none. */
export const isTokenRefused = ({ status, headers }: Response): boolean =>
  status === 401 || headers.has('www-authenticate')

/** The header that carries a token; none for a text that no header can carry. */
export function bearer(token: string | null): { authorization?: string } {
  return token !== null && /^[\x21-\x7e]+$/.test(token) ? { authorization: `Bearer ${token}` } : {}
}
