/** Address -> screen of this room. */
export const screens = { admin: 'AdminScreen.tsx', 'admin/log': 'AdminLogScreen.tsx' }
