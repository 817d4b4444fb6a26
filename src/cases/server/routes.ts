import * as forum from '../../forum/contract.ts'
import { knownCaller, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import { appeal, decideAppeal } from './appeals.ts'
import { moderateMember } from './members.ts'
import { moderatePost } from './posts.ts'
import { listAppeals, listQueue } from './queue.ts'
import { decideReport, listReports, reportDeal } from './reports.ts'
import type { CaseRoom } from './room.ts'
import { liftSuspension, listSuspensions, suspendBusiness } from './suspensions.ts'
import { moderateTopic } from './topics.ts'

/** These rules build their answers field by field, so the answer is not filtered again. */
const exact = { exact: true }

export function caseOperations(room: CaseRoom): Operation[] {
  return [
    operation(contract.reportDeal, ({ params, body }, asking) =>
      reportDeal(room, params.deal_id, knownCaller(asking), body),
    ),
    operation(contract.listReports, ({ query }) => listReports(room, query)),
    operation(contract.decideReport, ({ params, body }, asking) => decideReport(room, asking, params.case_id, body)),
    operation(contract.listSuspensions, ({ query }) => listSuspensions(room, query)),
    operation(contract.suspendBusiness, ({ body }, asking) => suspendBusiness(room, asking, body)),
    operation(contract.liftSuspension, ({ params }, asking) => liftSuspension(room, asking, params.business_id)),
    operation(contract.listForumQueue, ({ query }) => listQueue(room, query), exact),
    operation(contract.listForumAppeals, () => listAppeals(room), exact),
    operation(forum.moderatePost, ({ params, body }, asking) => moderatePost(room, asking, params.post_id, body)),
    operation(forum.moderateTopic, ({ params, body }, asking) => moderateTopic(room, asking, params.topic_id, body)),
    operation(forum.moderateMember, ({ params, body }, asking) => moderateMember(room, asking, params.handle, body)),
    operation(forum.appealDecision, ({ body }, asking) => appeal(room, knownCaller(asking), body)),
    operation(contract.decideAppeal, ({ params, body }, asking) =>
      decideAppeal(room, asking, params.action_id, body.decision),
    ),
  ]
}
