/** Words and limits that the contract and the screens share. Imports no library, so screens stay small. */

export const channels = ['in_app', 'push', 'email'] as const
export type Channel = (typeof channels)[number]
