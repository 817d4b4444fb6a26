import type { RefusedAnswer } from '../../shared/refusal.ts'

/** Whether the sentence of a refusal already stands beside a field of the form, so that its foot need not repeat it. */
export const isBeside = ({ error, fields = {} }: Pick<RefusedAnswer, 'error' | 'fields'>): boolean =>
  Object.values(fields).includes(error)
