/** The room's only server door. */
export { accountLimits, addressHash, foldEmail } from './room.ts'
export type { AccountRoom, AccountSettings, From, Keeper, Owner } from './room.ts'
export { createGate } from './sessions.ts'
export { countFailedSignup, signUp, type BesideAccount } from './signup.ts'
export { accountMailJob, sendQueuedMail, type MailRoom } from './mails.ts'
export { deleteUnverified, executeDeletions, forgetExpired } from './retention.ts'
export { fromOf } from './from.ts'
export { addDemoAccount, addStaff, listStaff, removeStaff } from './staff.ts'
