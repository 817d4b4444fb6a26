import { knownCaller, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as schedule from './schedule.ts'

export function scheduleOperations(room: schedule.ScheduleRoom): Operation[] {
  return [
    operation(contract.listSchedule, (_, asking) => schedule.listSchedule(room, knownCaller(asking), asking.origin)),
    operation(contract.addToSchedule, ({ body }, asking) => schedule.addEntry(room, knownCaller(asking), body)),
    operation(contract.importToSchedule, ({ body }, asking) => schedule.importEvents(room, knownCaller(asking), body)),
    operation(contract.changeEntry, ({ params, body }, asking) =>
      schedule.changeEntry(room, knownCaller(asking), params.entry_id, body),
    ),
    operation(contract.removeEntry, ({ params, query }, asking) =>
      schedule.removeEntry(room, knownCaller(asking), params.entry_id, query.seconds_ago),
    ),
    operation(contract.removeEvent, ({ params, query }, asking) =>
      schedule.removeEvent(room, knownCaller(asking), params.event_id, query.seconds_ago),
    ),
    operation(contract.planSchedule, ({ body }, asking) => schedule.plan(room, knownCaller(asking), body)),
    operation(contract.dealsInGap, ({ query }) => schedule.dealsInGap(room, query)),
    operation(contract.personalFeed, ({ params }, { origin }) => schedule.personalFeed(room, params.token, origin)),
    operation(contract.rotateFeed, (_, asking) => schedule.rotateFeed(room, knownCaller(asking), asking.origin)),
    operation(contract.shareSchedule, (_, asking) => schedule.share(room, knownCaller(asking), asking.origin)),
    operation(contract.unshareSchedule, (_, asking) => schedule.unshare(room, knownCaller(asking))),
    operation(contract.getShared, ({ params }) => schedule.findShared(room, params.token)),
  ]
}
