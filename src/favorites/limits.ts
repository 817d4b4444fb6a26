/** Words and limits of favorites for the contract and the screens; imports no library. */

export const kinds = ['deal', 'business', 'performer'] as const
export type Kind = (typeof kinds)[number]

/** Most favorites of an account. */
export const favoritesMost = 500
/** Most favorites in one preview of a guest. */
export const previewMost = 50
