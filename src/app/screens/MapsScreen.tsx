import { redirect, type LoaderFunctionArgs } from 'react-router'
import { page } from '../../site-map.ts'

/** `/maps` is the map under the name some links give it. */
function load({ request }: LoaderFunctionArgs) {
  return redirect(`${page.dealsMap}${new URL(request.url).search}`)
}
export { load as loader, load as clientLoader }

export default function MapsScreen() {
  return null
}
