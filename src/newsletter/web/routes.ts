/** Address -> screen of this room. */
export const screens = {
  newsletter: 'NewsletterScreen.tsx',
  'newsletter/confirm': 'NewsletterConfirmScreen.tsx',
  'newsletter/unsubscribe': 'NewsletterOutScreen.tsx',
}
