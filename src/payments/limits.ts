/** Words and limits that the contract and the screens share. Imports no library, so screens stay small. */

export const paidTiers = ['PREMIUM', 'ULTIMATE'] as const
export const intervals = ['month', 'year'] as const
/** The test provider's name of its card; screens translate it. */
export const testCardLabel = 'Test card 4242'
export const statuses = ['incomplete', 'active', 'past_due', 'canceled'] as const
