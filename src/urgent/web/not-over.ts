import type { UrgentNotice } from '../contract.ts'

/** Notices of an offline copy that have not ended at `now` (ms since 1970). One whose end cannot be read counts as not ended. */
export const notOver = <Each extends Pick<UrgentNotice, 'ends_at'>>(notices: readonly Each[], now: number): Each[] =>
  notices.filter(({ ends_at }) => !(Date.parse(ends_at) <= now))
