/** Address -> screen of this room. */
export const screens = { 'admin/urgent': 'AdminUrgentScreen.tsx' }
