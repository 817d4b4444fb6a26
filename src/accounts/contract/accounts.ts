export * from '../limits.ts'

/** For `access` of endpoints. */
export const merchantsAlone = { roles: ['business'] } as const
