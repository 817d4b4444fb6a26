import 'texts:businesses,categories,printedHead'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import BusinessesScreen from '../../businesses/web/BusinessesScreen.tsx'
import { load as loadMerchants } from '../../businesses/web/load-businesses.ts'
import { late, suspended } from '../../kit/browser/late.tsx'
import Answer from '../../places/web/NeedAnswer.tsx'

/** Loaded when needed; servers render it at once. */
const NeedAnswer = import.meta.env.SSR ? suspended(Answer) : late(() => import('../../places/web/NeedAnswer.tsx'))

async function load(args: LoaderFunctionArgs) {
  const words = new URL(args.request.url).searchParams.get('q')?.trim()
  const [merchants, need] = await Promise.all([
    loadMerchants(args),
    words
      ? import('../../places/web/load-need.ts').then(
          ({ loadNeed }) => loadNeed(args.context, words),
          () => null,
        )
      : null,
  ])
  return { ...merchants, need }
}
export { load as loader, load as clientLoader }

/** Merchants from A to Z; a search for a need, such as a toilet, is answered too. */
export default function MerchantsScreen() {
  const { need } = useLoaderData<typeof load>()
  return <BusinessesScreen answer={need && <NeedAnswer found={need} />} />
}
