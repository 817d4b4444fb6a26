/** Why somebody reports a deal or a rating. */
export const reportReasons = ['wrong', 'misleading', 'offensive', 'unsafe', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]
/** Characters of what is said beside it. */
export const reportNoteLength = 500
