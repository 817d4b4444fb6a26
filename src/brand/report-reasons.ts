/** Why somebody reports a deal or a rating. */
export const reportReasons = ['wrong', 'misleading', 'offensive', 'unsafe', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]
/** Characters of the note in a report. */
export const reportNoteLength = 500
