import { isObject, text } from '../../../kit/browser/reading.ts'

/** What a save says of itself; any answer without an error is a success. */
export interface Saved {
  notice: string | null
  notice_code: string | null
  status: string | null
}

export const readSaved = (value: unknown): Saved => {
  const { notice, notice_code, status } = isObject(value) ? value : {}
  return { notice: text(notice) ?? null, notice_code: text(notice_code) ?? null, status: text(status) ?? null }
}
