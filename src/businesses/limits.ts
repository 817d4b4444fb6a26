/** Words and limits of this room for contract and screens; imports no library, so that pages stay small. */

export const tiers = ['FREE', 'PREMIUM', 'ULTIMATE'] as const
export type Tier = (typeof tiers)[number]

/** Tiers that a merchant may request at signup; a paid tier starts with a confirmed payment. */
export const signupTiers = ['FREE', 'PREMIUM'] as const
export const logoMaxBytes = 5 * 1024 * 1024
/** Longer side of a logo after re-encoding, px. */
export const logoMaxPixels = 512

/** Photos that a merchant shows beside the logo. */
export const mostPhotos = 6

/** Names of OpenStreetMap; PH: public holidays. */
export const weekDays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su', 'PH'] as const

/** Names of the facts about a business. Not in the room that publishes them: rooms below it listen, too. */
export const businessFacts = {
  tierChanged: 'tier-changed',
  suspended: 'business-suspended',
  leaving: 'business-leaving',
} as const
