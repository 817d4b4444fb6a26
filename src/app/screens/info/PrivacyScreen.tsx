import 'texts:info'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { askOrFail, pageContext } from '../../../kit/browser/ask.ts'
import type { PlainHandle } from '../../boot/plain.ts'
import { loadInfo, type LoadedInfo } from './info-texts.ts'
import { InfoPage } from './InfoPage.tsx'
import { useSay } from './Prose.tsx'
import { mapConfig } from '../../../map/contract.ts'

async function load({ context }: LoaderFunctionArgs) {
  const [info, { body }] = await Promise.all([loadInfo(context, 'privacy'), askOrFail(context, mapConfig)])
  // hosts of the online map, the only part that may come from others
  const { locale } = context.get(pageContext)
  const mapHost = body.hosts.length > 0 ? new Intl.ListFormat(locale).format(body.hosts) : 'none'
  return { ...info, values: { ...info.values, mapHost } }
}
export { load as loader, load as clientLoader }

export const handle: PlainHandle = { isPlain: true }

export default function PrivacyScreen() {
  const info = useLoaderData<typeof load>() as LoadedInfo<'privacy'>
  return (
    <InfoPage name="privacy" info={info} art="keyhole">
      <InShort info={info} />
    </InfoPage>
  )
}

function InShort({ info }: { info: LoadedInfo<'privacy'> }) {
  const say = useSay(info)
  return (
    <ul className="shell mt-8 grid gap-3 sm:grid-cols-2 md:mt-10 xl:grid-cols-4">
      {Object.keys(info.texts.short).map((key, index) => (
        <li
          key={key}
          className={`grid content-start gap-2 rounded-6 border-2 border-rule p-5 md:pb-8 ${grounds[index % grounds.length]}`}
        >
          <b className="font-display text-xl leading-tight font-extrabold">{say(`short.${key}.title`)}</b>
          <p>{say(`short.${key}.text`)}</p>
        </li>
      ))}
    </ul>
  )
}

const grounds = ['bg-river text-on-deep', 'bg-water text-night', 'bg-stone text-night', 'bg-coral text-on-action']
