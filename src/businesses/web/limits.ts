import type { logoMaxBytes as maxBytesOfContract, mostPhotos as mostOfContract } from '../contract.ts'

// the same as in the contract, which never reaches the browser
export const logoMaxBytes: typeof maxBytesOfContract = 5 * 1024 * 1024
export const mostPhotos: typeof mostOfContract = 6
