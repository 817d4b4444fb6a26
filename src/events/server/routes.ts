import { fairTurns } from '../../kit/server/fair-turns.ts'
import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import {
  createEvent,
  createStage,
  deleteEvent,
  editEvent,
  editVenue,
  eventsCalendar,
  eventsFrabJson,
  eventsFrabXml,
  getEvent,
  getEventNeighbours,
  getProgramme,
  getStaffEvent,
  importEvents,
  listChanges,
  listEvents,
  listNowNext,
  listStaffEvents,
  listStaffStages,
  listVenuesNow,
  uploadEventPicture,
} from '../contract.ts'
import * as events from './events.ts'

/** These rules answer exactly the fields of the contract. */
const exact = { exact: true }

/** One at a time: each import holds a file of megabytes and what was read from it. */
const importsInTurn = fairTurns({ name: 'imports', slots: 1, perAddress: 5, most: 10, patienceMs: 20_000 })

export function eventOperations(room: events.EventRoom): Operation[] {
  return [
    operation(listEvents, ({ query }) => events.listEvents(room, query), exact),
    operation(getProgramme, () => events.findProgramme(room), exact),
    operation(listNowNext, () => events.listNowNext(room), exact),
    operation(listVenuesNow, ({ query }) => events.listVenuesNow(room, query), exact),
    operation(listChanges, ({ query }) => events.listChanges(room, query), exact),
    operation(getEvent, ({ params }) => events.findEvent(room, params.event_id), exact),
    operation(getEventNeighbours, ({ params }) => events.findNeighbours(room, params.event_id), exact),
    operation(eventsCalendar, ({ query }, { origin }) => events.calendarFeed(room, query, origin)),
    operation(eventsFrabJson, ({ query }, { origin }) => events.frabJsonFeed(room, query, origin)),
    operation(eventsFrabXml, ({ query }, { origin }) => events.frabXmlFeed(room, query, origin)),
    operation(listStaffEvents, ({ query }) => events.listStaffEvents(room, query)),
    operation(getStaffEvent, ({ params }) => events.findStaffEvent(room.db, room, params.event_id)),
    operation(listStaffStages, () => events.listStaffStages(room)),
    operation(createStage, ({ body }, asking) => events.createStage(room, asking, body)),
    operation(editVenue, ({ params, body }, asking) => events.editVenue(room, asking, params.venue_id, body)),
    operation(createEvent, ({ body }, asking) => events.createEvent(room, asking, body)),
    operation(editEvent, ({ params, body }, asking) => events.editEvent(room, asking, params.event_id, body)),
    operation(deleteEvent, ({ params, body }, asking) => events.deleteEvent(room, asking, params.event_id, body)),
    operation(uploadEventPicture, ({ files }) => events.uploadEventPicture(room, files['file'])),
    operation(importEvents, ({ body, files }, asking) =>
      importsInTurn(() => events.importEvents(room, asking, body, files['file'])),
    ),
  ]
}
