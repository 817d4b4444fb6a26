/** What an account may do, by its role and state; the server enforces it, screens hide by it. */
import { displayNameLength } from './limits.ts'

/** Moderators and admins. They must use two-factor authentication, and cannot switch it off. */
export const isStaff = (role: string): boolean => role === 'moderator' || role === 'admin'

/** Only staff may have names that are reserved for the festival and its roles. */
export const canHaveReservedName = isStaff

export const nameLength = (role: string): number => displayNameLength[role === 'business' ? 'business' : 'user']

type AccountState = Record<'verified_at' | 'blocked_at' | 'deletion_at' | 'confirm_by', Date | null>

/** Only accounts with a confirmed address get mail, unless they are blocked or wait to be deleted. */
export const canGetMail = ({ verified_at, blocked_at, deletion_at }: AccountState): boolean =>
  verified_at !== null && blocked_at === null && deletion_at === null

export const isDeletionDue = ({ deletion_at }: AccountState, now: Date): boolean =>
  deletion_at !== null && deletion_at <= now

/** The account is deleted, unless it has content. */
export const isConfirmationOverdue = ({ verified_at, confirm_by }: AccountState, now: Date): boolean =>
  verified_at === null && confirm_by !== null && confirm_by <= now
