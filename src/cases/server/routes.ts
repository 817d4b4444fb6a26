import { knownWho, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import type { CaseRoom } from './room.ts'
import * as reports from './reports.ts'
import * as suspensions from './suspensions.ts'

export function caseOperations(room: CaseRoom): Operation[] {
  return [
    operation(contract.reportDeal, ({ params, body }, asking) =>
      reports.reportDeal(room, params.deal_id, knownWho(asking), body),
    ),
    operation(contract.listReports, ({ query }) => reports.listReports(room, query)),
    operation(contract.decideReport, ({ params, body }, asking) =>
      reports.decideReport(room, asking, params.case_id, body),
    ),
    operation(contract.listSuspensions, ({ query }) => suspensions.listSuspensions(room, query)),
    operation(contract.suspendBusiness, ({ body }, asking) => suspensions.suspendBusiness(room, asking, body)),
    operation(contract.liftSuspension, ({ params }, asking) =>
      suspensions.liftSuspension(room, asking, params.business_id),
    ),
  ]
}
