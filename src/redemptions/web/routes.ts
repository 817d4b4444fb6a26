/** Address to screen. */
export const screens = {
  'my-codes': 'MyCodesScreen.tsx',
  redeem: 'RedeemScreen.tsx',
}
