/** Address -> screen of this room. */
export const screens = {
  notifications: 'NotificationsScreen.tsx',
}
