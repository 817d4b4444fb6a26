/** Address -> screen of this room. */
export const screens = { contact: 'ContactScreen.tsx' }
