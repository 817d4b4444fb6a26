/** Words and limits that the contract and the screens share. Imports no library, so screens stay small. */

export const contactTopics = ['visitor', 'merchant', 'press', 'privacy', 'other'] as const
