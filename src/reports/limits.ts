/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

export const reasons = ['wrong', 'misleading', 'offensive', 'unsafe', 'other'] as const
export const noteLength = 500
