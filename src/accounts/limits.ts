/** Words and limits that the contract and the screens share. Imports no library, so screens stay small. */

/** Visitors, merchants and staff. Only a command of the operator creates staff. */
export const roles = ['user', 'business', 'moderator', 'admin'] as const
export type Role = (typeof roles)[number]
/** An email address can have one account of each kind; staff have the kind `user`. */
export const accountKinds = ['user', 'business'] as const
export type AccountKind = (typeof accountKinds)[number]

/** Greatest length of a display name. A merchant's starts as the name of the business, so it may be as long. */
export const displayNameLength = { user: 40, business: 80 } as const satisfies Record<AccountKind, number>

export const accountLanguages = ['en', 'de', 'fr'] as const
export type AccountLanguage = (typeof accountLanguages)[number]

/** Characters of a password after Unicode normalisation (NFC). There are no rules about which characters. */
export const passwordLength = { min: 8, max: 128 }

/** Minutes before an event at which a reminder can be sent. */
export const reminderMinutes = [0, 5, 10, 15, 20, 30, 45, 60, 120] as const
