import type { LoaderFunctionArgs } from 'react-router'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { ask, pageContext } from '../../kit/browser/asking.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { businessesPage } from '../../site-map.ts'
import { listBusinesses, listLetters } from '../contract.ts'
import { other } from './by-letter.ts'

const pageSize = 60
/** As the field takes them. */
const nameMaxLetters = 100

/** Merchants from A to Z, sixty a page. */
export async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const said = (name: string) => searchParams.get(name)?.trim() || undefined
  const [{ answer, query, faults }, letters] = await Promise.all([
    askForgivingly(context, listBusinesses, {
      // a longer one finds what its beginning finds, not everything
      q: said('q') && [...said('q')!].slice(0, nameMaxLetters).join(''),
      limit: said('limit') ?? String(pageSize),
      from: said('from')?.toLowerCase(),
      after: said('after'),
      before: said('before'),
      offset: said('offset'),
    }),
    // what a search finds is walked page by page
    said('q') ? null : ask(context, listLetters),
  ])
  const { q, from, after, before, offset } = query
  const limit = said('limit') && query['limit']
  const isFirst = [from, after, before, offset].every((start) => start === undefined)
  // who came by a letter is on no page with a number
  const named = Math.trunc(Number(said('page'))) || 0
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

export type Shown = Awaited<ReturnType<typeof load>>
export type Listed = Shown['businesses'][number]

/** Where somebody is who gives no address: of a name that many have, it tells one from the other. */
function seenFrom(centre: Position, place: Position) {
  const north = place.latitude - centre.latitude
  const east = (place.longitude - centre.longitude) * Math.cos((centre.latitude * Math.PI) / 180)
  const eighth = Math.round((Math.atan2(east, north) / Math.PI) * 4)
  return { km: distanceKm(centre, place), direction: directions.at(eighth % 8)! }
}

const directions = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const
