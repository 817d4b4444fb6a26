/** Endpoints of accounts, by subject. Other rooms import only this file. */
export * from './contract/accounts.ts'
export * from './contract/passwords.ts'
export * from './contract/signup.ts'
export * from './contract/login.ts'
export * from './contract/google.ts'
export * from './contract/sessions.ts'
export * from './contract/mailed-links.ts'
export * from './contract/me.ts'
export * from './contract/second-factor.ts'
/** For higher rooms that send links by mail. */
export { language, linkToken, mailQueued } from './contract/parts.ts'
