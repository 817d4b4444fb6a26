import type { displayNameLength as nameOfContract, passwordLength as passwordOfContract } from '../contract.ts'

// The same as in the contract, which never reaches the browser; the types hold the two together in shape alone.
export const passwordLength: typeof passwordOfContract = { min: 8, max: 128 }
export const displayNameLength: typeof nameOfContract = { user: 40, business: 80 }
