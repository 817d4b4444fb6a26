import { apiCall } from '../../kit/browser/asking.ts'
import { flagOr, instant, list, needed, oneOf, or, record, textOr } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const kind = oneOf(['storm', 'evacuation', 'closure', 'other'], 'other')

export const listUrgent = apiCall<typeof contract.listUrgent>(
  'GET /api/urgent',
  list(
    record<contract.UrgentNotice>({
      notice_id: needed,
      kind,
      title: textOr(''),
      text: needed,
      until: textOr(''),
      ends_at: or(instant, ''),
    }),
  ),
)

const notice = record<contract.StaffNotice>({
  notice_id: needed,
  kind,
  text_en: textOr(''),
  text_de: textOr(''),
  text_fr: textOr(''),
  created_at: or(instant, ''),
  ends_at: or(instant, ''),
  ended_at: instant,
  is_shown: flagOr(false),
})

export const listStaffUrgent = apiCall<typeof contract.listStaffUrgent>('GET /api/admin/urgent', list(notice))
export const sendUrgent = apiCall<typeof contract.sendUrgent>('POST /api/admin/urgent', notice)
export const endUrgent = apiCall<typeof contract.endUrgent>('POST /api/admin/urgent/{notice_id}/end', notice)
