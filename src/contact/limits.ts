/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

export const contactTopics = ['visitor', 'merchant', 'press', 'privacy', 'other'] as const
