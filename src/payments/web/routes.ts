/** Address -> screen of this room. */
export const screens = {
  'upgrade-subscription': 'UpgradeScreen.tsx',
  upgrade: 'UpgradeScreen.tsx',
  'promote-business': 'PromoteScreen.tsx',
  'test-checkout/:checkout_id': 'TestCheckoutScreen.tsx',
  invoices: 'InvoicesScreen.tsx',
  'invoice/:invoice_id': 'InvoiceScreen.tsx',
}
