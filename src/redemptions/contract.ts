/** What crosses the wire in the room of redemptions, by subject. */
export * from './contract/refusals.ts'
export * from './contract/claims.ts'
export * from './contract/redemptions.ts'
export * from './contract/devices.ts'
