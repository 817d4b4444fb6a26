/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

/** Visitors, merchants and staff. Staff are made by a command, never by signup. */
export const roles = ['user', 'business', 'moderator', 'admin'] as const
export type Role = (typeof roles)[number]
/** An address may hold one account of each kind; staff are of the kind `user`. */
export const accountKinds = ['user', 'business'] as const
export type AccountKind = (typeof accountKinds)[number]

/**
 * Characters of a display name at most. A visitor's stands beside what they write; a merchant's is at first the name of
 * the business, and as long.
 */
export const displayNameLength = { user: 40, business: 80 } as const satisfies Record<AccountKind, number>

export const accountLanguages = ['en', 'de', 'fr'] as const
export type AccountLanguage = (typeof accountLanguages)[number]

/** Characters of a password, after Unicode normalisation (NFC). No rules of composition. */
export const passwordLength = { min: 8, max: 128 }
