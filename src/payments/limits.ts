/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

export const paidTiers = ['PREMIUM', 'ULTIMATE'] as const
export const intervals = ['month', 'year'] as const
export const statuses = ['incomplete', 'active', 'past_due', 'canceled'] as const
