import type { RefusedAnswer } from '../../shared/refusal.ts'

/** Whether the text of a refusal is already shown beside a field: the end of the form need not repeat it. */
export const isBeside = ({ error, fields = {} }: Pick<RefusedAnswer, 'error' | 'fields'>): boolean =>
  Object.values(fields).includes(error)
