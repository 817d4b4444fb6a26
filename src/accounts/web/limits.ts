import type { passwordLength as ofContract } from '../contract.ts'

/** The same as in the contract, which never reaches the browser; the type holds the two together in shape alone. */
export const passwordLength: typeof ofContract = { min: 8, max: 128 }
