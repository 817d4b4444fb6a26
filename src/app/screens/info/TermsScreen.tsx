import 'texts:info'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import type { PlainHandle } from '../../boot/plain.ts'
import { loadInfo, type LoadedInfo } from './info-texts.ts'
import { InfoPage } from './InfoPage.tsx'

async function load({ context }: LoaderFunctionArgs) {
  return loadInfo(context, 'terms')
}
export { load as loader, load as clientLoader }

export const handle: PlainHandle = { isPlain: true }

export default function TermsScreen() {
  const info = useLoaderData<typeof load>() as LoadedInfo<'terms'>
  return <InfoPage name="terms" info={info} art="signature" />
}
