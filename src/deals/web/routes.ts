/** Address -> screen of this room. */
export const screens = {
  deals: 'DealsScreen.tsx',
  dealsmap: 'DealsMapScreen.tsx',
}
