import type { UrgentNotice } from '../contract.ts'

/** The notices of an offline copy that are not over at `now` (ms since 1970), and those whose end cannot be read. */
export const notOver = <Each extends Pick<UrgentNotice, 'ends_at'>>(notices: readonly Each[], now: number): Each[] =>
  notices.filter(({ ends_at }) => !(Date.parse(ends_at) <= now))
