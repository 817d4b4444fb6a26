/** Address -> screen of this room. */
export const screens = { 'admin/log': 'AdminLogScreen.tsx' }
