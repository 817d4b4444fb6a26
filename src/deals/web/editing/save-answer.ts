import type { SaveNotice } from '../../../businesses/web/editing/use-save.ts'
import { isObject, text } from '../../../kit/browser/reading.ts'

/** The answer to a save, read so tolerantly that any answer without an error is a success. */
export interface SaveAnswer {
  notice: string | null
  notice_code: string | null
  status: string | null
}

export const readSaveAnswer = (value: unknown): SaveAnswer => {
  const { notice, notice_code, status } = isObject(value) ? value : {}
  return { notice: text(notice) ?? null, notice_code: text(notice_code) ?? null, status: text(status) ?? null }
}

export const noticeIn = ({ notice, notice_code }: SaveAnswer): SaveNotice | null =>
  notice === null ? null : { text: notice, isLimit: notice_code?.endsWith('ByLimit') ?? false }
