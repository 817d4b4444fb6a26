import type { UrgentNotice } from '../contract.ts'

/** Of an answer that was kept, perhaps hours ago: what is not over at `now` (ms since 1970); also what names no end. */
export const notOver = <Each extends Pick<UrgentNotice, 'ends_at'>>(notices: readonly Each[], now: number): Each[] =>
  notices.filter(({ ends_at }) => !(Date.parse(ends_at) <= now))
