import { apiCall } from '../../kit/browser/asking.ts'
import {
  flagOr,
  instant,
  isObject,
  list,
  needed,
  number,
  numberOr,
  oneOf,
  or,
  record,
  text,
  textOr,
} from '../../kit/browser/reading.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const values = (value: unknown) => (isObject(value) ? value : null)

/** How much an action does; also for the screens of other rooms. */
export const reach = record<contract.Reach>({
  kind: oneOf(['event', 'deal', 'other'] as const, 'other'),
  hidden: numberOr(0),
  shown: numberOr(0),
  changed: numberOr(0),
  people: numberOr(0),
})

export const listLog = apiCall<typeof contract.listLog>(
  'GET /api/admin/log',
  list(
    record<contract.AuditEntry>({
      entry_id: needed,
      at: or(instant, ''),
      actor: textOr('–'),
      account_id: text,
      action: textOr(''),
      object_kind: textOr(''),
      object_id: text,
      object_name: textOr('–'),
      before: values,
      after: values,
      reason: text,
      undoes: text,
      undid: or(record<contract.AuditEntry['undid'] & object>({ action: needed, at: needed }), null),
      undone_by: text,
      is_undone: flagOr(false),
      can_undo: flagOr(false),
    }),
  ),
)

export const listDesks = apiCall<typeof contract.listDesks>(
  'GET /api/admin',
  list(record<contract.StaffDesk>({ key: needed, path: needed, open: number })),
)

export const undo = apiCall<typeof contract.undo>(
  'POST /api/admin/log/{entry_id}/undo',
  record<AnswerBody<typeof contract.undo>>({ entry_id: text, reach, kept: or(list(needed), []) }),
)
