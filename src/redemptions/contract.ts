/** The endpoints of codes, redemptions and devices, by subject. */
export * from './contract/refusals.ts'
export * from './contract/claims.ts'
export * from './contract/redemptions.ts'
export * from './contract/devices.ts'
