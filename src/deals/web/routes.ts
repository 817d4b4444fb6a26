/** Address -> screen. */
export const screens = {
  dealsmap: 'DealsMapScreen.tsx',
  'deal/:deal_id/edit': 'EditDealScreen.tsx',
  'create-deal': 'CreateDealScreen.tsx',
}
