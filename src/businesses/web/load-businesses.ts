import type { LoaderFunctionArgs } from 'react-router'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { ask, pageContext } from '../../kit/browser/ask.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { businessesPage } from '../../site-map.ts'
import { listBusinesses, listLetters } from '../contract.ts'
import { other } from './by-letter.ts'

const pageSize = 60
/** Maximum letters of a search. */
const nameMaxLetters = 100

/** Merchants from A to Z, sixty a page. */
export async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const param = (name: string) => searchParams.get(name)?.trim() || undefined
  const [{ answer, query, faults }, letters] = await Promise.all([
    askForgivingly(context, listBusinesses, {
      // cut a longer search text: the API would refuse it, and the page would list all businesses
      q: param('q') && [...param('q')!].slice(0, nameMaxLetters).join(''),
      limit: param('limit') ?? String(pageSize),
      from: param('from')?.toLowerCase(),
      after: param('after'),
      before: param('before'),
      offset: param('offset'),
    }),
    // results of a search are not listed by letter
    param('q') ? null : ask(context, listLetters),
  ])
  const { q, from, after, before, offset } = query
  const limit = param('limit') && query['limit']
  const isFirst = [from, after, before, offset].every((start) => start === undefined)
  // a page reached by a letter has no number
  const named = Math.trunc(Number(param('page'))) || 0
  const pageNumber = isFirst ? 1 : named > 0 && named < 10_000 ? named : null
  return {
    businesses: answer.body.map(({ latitude, longitude, ...business }) => ({
      ...business,
      whereabouts:
        business.address || latitude === null || longitude === null
          ? null
          : seenFrom(context.get(pageContext).festival, { latitude, longitude }),
    })),
    total: answer.total ?? answer.body.length,
    isCapped: answer.totalCapped,
    next: answer.next,
    prev: answer.prev,
    letters: letters?.answer && [...(letters.answer.body.before_a ? [other] : []), ...letters.answer.body.letters],
    q,
    from,
    limit,
    faults,
    pageNumber,
    isFirst,
    address: businessesPage({
      q,
      limit,
      from,
      after,
      before,
      offset,
      page: isFirst ? undefined : pageNumber?.toString(),
    }),
  }
}

export type BusinessListData = Awaited<ReturnType<typeof load>>
export type ListedBusiness = BusinessListData['businesses'][number]

/** Distance and direction from the centre: tells businesses apart that have the same name and no address. */
function seenFrom(centre: Position, place: Position) {
  const north = place.latitude - centre.latitude
  const east = (place.longitude - centre.longitude) * Math.cos((centre.latitude * Math.PI) / 180)
  const eighth = Math.round((Math.atan2(east, north) / Math.PI) * 4)
  return { km: distanceKm(centre, place), direction: directions.at(eighth % 8)! }
}

const directions = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const
