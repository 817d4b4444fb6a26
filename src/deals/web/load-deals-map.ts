import type { LoaderFunctionArgs } from 'react-router'
import { getBusiness } from '../../businesses/contract.ts'
import { ask, pageContext } from '../../kit/browser/ask.ts'
import { pack } from '../../kit/browser/packed.ts'
import { plainConfig } from '../../map/web/basemap.ts'
import { mapConfig } from '../../map/contract.ts'
import { getDeal } from '../contract.ts'
import { onThisMap, readMapQuery, searchCentre, showsLayer } from './deals-map-query.ts'
import { findNext } from './find-next.ts'
import { findAt, findLists, type MapResult } from './use-map-deals.ts'

/** Loads the first list of the map and the content of the card in the address. */
export async function load({ context, request }: LoaderFunctionArgs) {
  const typed = readMapQuery(new URL(request.url).searchParams)
  const { festival, theme } = context.get(pageContext)
  const centre = { latitude: festival.latitude, longitude: festival.longitude }
  const configAnswer = ask(context, mapConfig).then(({ answer }) => answer?.body ?? plainConfig(centre))
  // only a place in the address needs the bounds of the map first
  const { query } =
    typed.lat || typed.near || typed.bbox ? onThisMap(typed, (await configAnswer).bounds) : { query: typed }
  const [found, opened, merchant, lying, config] = await Promise.all([
    findLists(context, query, festival).catch((error: unknown) => {
      // the map is useful even without deals
      console.error('The deals of the map could not be loaded.', error)
      return null
    }),
    query.deal ? ask(context, getDeal, { params: { deal_id: query.deal } }) : null,
    query.business ? ask(context, getBusiness, { params: { business_id: query.business } }) : null,
    query.at ? findAt(context, query, festival, query.at).catch(() => null) : null,
    configAnswer,
  ])
  const isEmpty = found && showsLayer(query, 'deals') && found.deals.items.length === 0
  return {
    // sent with the page, which saves one request
    found: pack<MapResult | null>(found),
    nextUp: isEmpty ? await findNext(context, query, searchCentre(query, centre)).catch(() => null) : null,
    opened: opened?.answer?.body ?? null,
    openedMerchant: merchant?.answer?.body ?? null,
    openedAt: query.at && lying ? { at: query.at, lying } : null,
    config,
    centre,
    theme,
  }
}
