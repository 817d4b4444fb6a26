import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { loadInfo, type LoadedInfo } from './info-texts.ts'
import { InfoPage } from './InfoPage.tsx'

async function load({ context }: LoaderFunctionArgs) {
  return loadInfo(context, 'terms')
}
export { load as loader, load as clientLoader }

export default function TermsScreen() {
  const info = useLoaderData<typeof load>() as LoadedInfo<'terms'>
  return <InfoPage name="terms" info={info} art="signature" />
}
