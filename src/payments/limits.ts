/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

export const paidTiers = ['PREMIUM', 'ULTIMATE'] as const
export const intervals = ['month', 'year'] as const
/** What the test provider calls its card; screens say it in their language. */
export const testCardLabel = 'Test card 4242'
export const statuses = ['incomplete', 'active', 'past_due', 'canceled'] as const
