/** Address -> screen of this room. */
export const screens = { 'deal-analytics': 'DealAnalyticsScreen.tsx' }
