import { useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router'
import { headOf, loadInfo, type LoadedInfo } from './info-texts.ts'
import { InfoPage } from './InfoPage.tsx'

async function load({ context }: LoaderFunctionArgs) {
  return loadInfo(context, 'terms')
}
export { load as loader, load as clientLoader }

export const meta: MetaFunction<typeof load> = ({ loaderData }) => headOf(loaderData)

export default function TermsScreen() {
  const info = useLoaderData<typeof load>() as LoadedInfo<'terms'>
  return <InfoPage name="terms" info={info} art="signature" />
}
