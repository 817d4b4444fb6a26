import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import {
  eventsCalendar,
  eventsFrabJson,
  eventsFrabXml,
  getEvent,
  getEventNeighbours,
  getProgramme,
  listEvents,
  listNowNext,
} from '../contract.ts'
import * as events from './events.ts'

/** Every event is answered field by field. */
const exact = { exact: true }

export function eventOperations(room: events.EventRoom): Operation[] {
  return [
    operation(listEvents, ({ query }) => events.listEvents(room, query), exact),
    operation(getProgramme, () => events.findProgramme(room), exact),
    operation(listNowNext, () => events.listNowNext(room), exact),
    operation(getEvent, ({ params }) => events.findEvent(room, params.event_id), exact),
    operation(getEventNeighbours, ({ params }) => events.findNeighbours(room, params.event_id), exact),
    operation(eventsCalendar, ({ query }, { origin }) => events.calendarFeed(room, query, origin)),
    operation(eventsFrabJson, ({ query }, { origin }) => events.frabJsonFeed(room, query, origin)),
    operation(eventsFrabXml, ({ query }, { origin }) => events.frabXmlFeed(room, query, origin)),
  ]
}
