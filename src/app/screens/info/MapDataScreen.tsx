import 'texts:info'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import type { PlainHandle } from '../../boot/plain.ts'
import { loadInfo, type LoadedInfo } from './info-texts.ts'
import { InfoPage } from './InfoPage.tsx'

async function load({ context }: LoaderFunctionArgs) {
  return loadInfo(context, 'mapData')
}
export { load as loader, load as clientLoader }

export const handle: PlainHandle = { isPlain: true }

export default function MapDataScreen() {
  const info = useLoaderData<typeof load>() as LoadedInfo<'mapData'>
  return <InfoPage name="mapData" info={info} art="signature" />
}
