/** Address -> screen of this room. */
export const screens = {
  business: 'BusinessesScreen.tsx',
  signup: 'BusinessSignupScreen.tsx',
  'edit-business': 'EditBusinessScreen.tsx',
  'admin/merchants': 'AdminMerchantsScreen.tsx',
}
