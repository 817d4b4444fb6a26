/** Address -> screen of this room. */
export const screens = {
  'my-codes': 'MyCodesScreen.tsx',
  redeem: 'RedeemScreen.tsx',
}
