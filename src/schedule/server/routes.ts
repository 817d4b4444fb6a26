import { knownWho, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import * as schedule from './schedule.ts'

export function scheduleOperations(room: schedule.ScheduleRoom): Operation[] {
  return [
    operation(contract.listSchedule, (_, asking) => schedule.listSchedule(room, knownWho(asking), asking.origin)),
    operation(contract.addToSchedule, ({ body }, asking) => schedule.addEntry(room, knownWho(asking), body)),
    operation(contract.importToSchedule, ({ body }, asking) => schedule.importEvents(room, knownWho(asking), body)),
    operation(contract.changeEntry, ({ params, body }, asking) =>
      schedule.changeEntry(room, knownWho(asking), params.entry_id, body),
    ),
    operation(contract.removeEntry, ({ params, query }, asking) =>
      schedule.removeEntry(room, knownWho(asking), params.entry_id, query.seconds_ago),
    ),
    operation(contract.removeEvent, ({ params, query }, asking) =>
      schedule.removeEvent(room, knownWho(asking), params.event_id, query.seconds_ago),
    ),
    operation(contract.planSchedule, ({ body }, asking) => schedule.plan(room, knownWho(asking), body)),
    operation(contract.dealsInGap, ({ query }) => schedule.dealsInGap(room, query)),
    operation(contract.personalFeed, ({ params }, { origin }) => schedule.personalFeed(room, params.token, origin)),
    operation(contract.rotateFeed, (_, asking) => schedule.rotateFeed(room, knownWho(asking), asking.origin)),
    operation(contract.shareSchedule, (_, asking) => schedule.share(room, knownWho(asking), asking.origin)),
    operation(contract.unshareSchedule, (_, asking) => schedule.unshare(room, knownWho(asking))),
    operation(contract.getShared, ({ params }) => schedule.findShared(room, params.token)),
  ]
}
