import { redirect, type LoaderFunctionArgs } from 'react-router'
import { page } from '../../site-map.ts'

/** `/maps` is another address of the map, used by some links. */
function load({ request }: LoaderFunctionArgs) {
  return redirect(`${page.dealsMap}${new URL(request.url).search}`)
}
export { load as loader, load as clientLoader }

export default function MapsScreen() {
  return null
}
