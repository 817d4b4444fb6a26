import { knownWho, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import {
  addToSchedule,
  changeEntry,
  dealsInGap,
  getShared,
  importToSchedule,
  listSchedule,
  personalFeed,
  planSchedule,
  removeEntry,
  removeEvent,
  rotateFeed,
  shareSchedule,
  unshareSchedule,
} from '../contract.ts'
import * as schedule from './schedule.ts'

export function scheduleOperations(room: schedule.ScheduleRoom): Operation[] {
  return [
    operation(listSchedule, (_, asking) => schedule.listSchedule(room, knownWho(asking), asking.origin)),
    operation(addToSchedule, ({ body }, asking) => schedule.addEntry(room, knownWho(asking), body)),
    operation(importToSchedule, ({ body }, asking) => schedule.importEvents(room, knownWho(asking), body)),
    operation(changeEntry, ({ params, body }, asking) =>
      schedule.changeEntry(room, knownWho(asking), params.entry_id, body),
    ),
    operation(removeEntry, ({ params, query }, asking) =>
      schedule.removeEntry(room, knownWho(asking), params.entry_id, query.seconds_ago),
    ),
    operation(removeEvent, ({ params, query }, asking) =>
      schedule.removeEvent(room, knownWho(asking), params.event_id, query.seconds_ago),
    ),
    operation(planSchedule, ({ body }, asking) => schedule.plan(room, knownWho(asking), body)),
    operation(dealsInGap, ({ query }) => schedule.dealsInGap(room, query)),
    operation(personalFeed, ({ params }, { origin }) => schedule.personalFeed(room, params.token, origin)),
    operation(rotateFeed, (_, asking) => schedule.rotateFeed(room, knownWho(asking), asking.origin)),
    operation(shareSchedule, (_, asking) => schedule.share(room, knownWho(asking), asking.origin)),
    operation(unshareSchedule, (_, asking) => schedule.unshare(room, knownWho(asking))),
    operation(getShared, ({ params }) => schedule.findShared(room, params.token)),
  ]
}
