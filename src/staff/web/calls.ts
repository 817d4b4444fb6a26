import { apiCall } from '../../kit/browser/asking.ts'
import { flagOr, instant, isObject, list, needed, number, or, record, text, textOr } from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const values = (value: unknown) => (isObject(value) ? value : null)

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
  record({ entry_id: textOr(''), kept: or(list(needed), []) }),
)
