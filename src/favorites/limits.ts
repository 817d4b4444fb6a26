/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

export const kinds = ['deal', 'business', 'performer'] as const
export type Kind = (typeof kinds)[number]
