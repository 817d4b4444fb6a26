/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

export const tiers = ['FREE', 'PREMIUM', 'ULTIMATE'] as const
export type Tier = (typeof tiers)[number]

/** What a merchant may wish for at signup; a tier itself comes only with a confirmed payment. */
export const signupTiers = ['FREE', 'PREMIUM'] as const
export const logoMaxBytes = 5 * 1024 * 1024
/** Longer side of a logo after it was made anew, px. */
export const logoMaxPixels = 512

/** Photos that a merchant shows beside the logo. */
export const mostPhotos = 6

/** As OpenStreetMap writes them; PH: public holidays. */
export const weekDays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su', 'PH'] as const
