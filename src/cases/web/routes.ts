/** Address -> screen of this room. */
export const screens = { 'admin/reports': 'AdminReportsScreen.tsx', 'admin/moderation': 'ModerationScreen.tsx' }
