import { knownWho, type Asking } from '../../kit/server/serve-endpoint.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { openAtMost, type listDesks as listDesksEndpoint } from '../contract.ts'
import type { StaffRoom } from './staff.ts'

/** The staff pages that this role may open, with the counts of open things; lower rooms first. */
export async function listDesks(
  { db, desks }: StaffRoom,
  asking: Asking,
): Promise<AnswerBody<typeof listDesksEndpoint>> {
  const { role } = knownWho(asking)
  return Promise.all(
    desks()
      .filter(({ roles }) => roles.includes(role))
      .map(async ({ key, path, open }) => ({ key, path, open: open && (await open(db, openAtMost)) })),
  )
}
