import { apiCall } from '../../kit/browser/asking.ts'
import { anything, list, needed, numberOr, oneOf, or, record, text, textOr } from '../../kit/browser/reading.ts'
import { reach } from '../../staff/web/calls.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import type * as contract from '../contract.ts'
import { oneEvent, stage, venue } from './calls.ts'

/** How the screens of staff ask the endpoints of this room. */
export const listStaffEvents = apiCall<typeof contract.listStaffEvents>('GET /api/admin/events', list(oneEvent))
export const getStaffEvent = apiCall<typeof contract.getStaffEvent>('GET /api/admin/events/{event_id}', oneEvent)
export const listStaffStages = apiCall<typeof contract.listStaffStages>('GET /api/admin/stages', list(stage))
export const createStage = apiCall<typeof contract.createStage>('POST /api/admin/stages', stage)
export const editVenue = apiCall<typeof contract.editVenue>('PUT /api/admin/venues/{venue_id}', venue)
export const createEvent = apiCall<typeof contract.createEvent>('POST /api/events', oneEvent)
export const editEvent = apiCall<typeof contract.editEvent>('PUT /api/events/{event_id}', oneEvent)
export const uploadEventPicture = apiCall<typeof contract.uploadEventPicture>(
  'POST /api/admin/events/pictures',
  record({ url: needed }),
)
export const deleteEvent = apiCall<typeof contract.deleteEvent>('DELETE /api/events/{event_id}', anything)

const kinds = ['refused', 'note', 'changed', 'new', 'missing'] as const
type Report = AnswerBody<typeof contract.importEvents>
export const importEvents = apiCall<typeof contract.importEvents>(
  'POST /api/admin/events/import',
  record<Report>({
    entry_id: text,
    source: textOr(''),
    counts: record<Report['counts']>({
      read: numberOr(0),
      new: numberOr(0),
      changed: numberOr(0),
      same: numberOr(0),
      refused: numberOr(0),
    }),
    reach,
    remarks: or(
      list(
        record<Report['remarks'][number]>({
          kind: oneOf(kinds, 'note'),
          place: textOr(''),
          title: textOr(''),
          text: needed,
        }),
      ),
      [],
    ),
  }),
)
