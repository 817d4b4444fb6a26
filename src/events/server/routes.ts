import { fairTurns } from '../../kit/server/fair-turns.ts'
import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as events from './events.ts'

/** These rules answer exactly the fields of the contract. */
const exact = { exact: true }

/** One at a time: each import holds a file of megabytes and what was read from it. */
const importsInTurn = fairTurns({ name: 'imports', slots: 1, perAddress: 5, most: 10, patienceMs: 20_000 })

export function eventOperations(room: events.EventRoom): Operation[] {
  return [
    operation(contract.listEvents, ({ query }) => events.listEvents(room, query), exact),
    operation(contract.getProgramme, () => events.findProgramme(room), exact),
    operation(contract.listNowNext, () => events.listNowNext(room), exact),
    operation(contract.listVenuesNow, ({ query }) => events.listVenuesNow(room, query), exact),
    operation(contract.listChanges, ({ query }) => events.listChanges(room, query), exact),
    operation(contract.getEvent, ({ params }) => events.findEvent(room, params.event_id), exact),
    operation(contract.getEventNeighbours, ({ params }) => events.findNeighbours(room, params.event_id), exact),
    operation(contract.eventsCalendar, ({ query }, { origin }) => events.calendarFeed(room, query, origin)),
    operation(contract.eventsFrabJson, ({ query }, { origin }) => events.frabJsonFeed(room, query, origin)),
    operation(contract.eventsFrabXml, ({ query }, { origin }) => events.frabXmlFeed(room, query, origin)),
    operation(contract.listStaffEvents, ({ query }) => events.listStaffEvents(room, query)),
    operation(contract.getStaffEvent, ({ params }) => events.findStaffEvent(room.db, room, params.event_id)),
    operation(contract.listStaffStages, () => events.listStaffStages(room)),
    operation(contract.createStage, ({ body }, asking) => events.createStage(room, asking, body)),
    operation(contract.editVenue, ({ params, body }, asking) => events.editVenue(room, asking, params.venue_id, body)),
    operation(contract.createEvent, ({ body }, asking) => events.createEvent(room, asking, body)),
    operation(contract.editEvent, ({ params, body }, asking) => events.editEvent(room, asking, params.event_id, body)),
    operation(contract.deleteEvent, ({ params, body }, asking) =>
      events.deleteEvent(room, asking, params.event_id, body),
    ),
    operation(contract.uploadEventPicture, ({ files }) => events.uploadEventPicture(room, files['file'])),
    operation(contract.importEvents, ({ body, files }, asking) =>
      importsInTurn(() => events.importEvents(room, asking, body, files['file'])),
    ),
    operation(contract.listProgrammeSources, ({ query }, asking) => events.listProgrammeSources(room, asking, query)),
    operation(contract.putProgrammeSource, ({ params, body }, asking) =>
      importsInTurn(() => events.putProgrammeSource(room, asking, params.source, body)),
    ),
    operation(contract.deleteProgrammeSource, ({ params }, asking) =>
      events.deleteProgrammeSource(room, asking, params.source),
    ),
    operation(contract.readProgrammeSource, ({ params }, asking) =>
      importsInTurn(() => events.readProgrammeSource(room, asking, params.source)),
    ),
    operation(contract.applyProgrammeSource, ({ params, body }, asking) =>
      importsInTurn(() => events.applyProgrammeSource(room, asking, params.source, body.hash)),
    ),
  ]
}
