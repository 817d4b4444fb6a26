/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

export const channels = ['in_app', 'push', 'email'] as const
export type Channel = (typeof channels)[number]
