/** Categories of deals and businesses. Each has one hue and one glyph on cards, pins and posters. */
export const categories = ['food', 'drinks', 'nightlife', 'shopping', 'culture', 'wellness', 'other'] as const
export type Category = (typeof categories)[number]
