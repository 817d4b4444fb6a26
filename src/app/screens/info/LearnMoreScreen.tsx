import 'texts:festival'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { PageHead } from '../../../kit/browser/PageHead.tsx'
import type { FestivalDays } from '../../../brand/festival-days.ts'
import { FestivalDate } from '../../../brand/FestivalDate.tsx'
import { ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { RiverScene } from '../../../brand/RiverScene.tsx'
import { WaveRule } from '../../../kit/browser/ui/WaveRule.tsx'
import { page } from '../../../site-map.ts'
import type { PlainHandle } from '../../boot/plain.ts'
import { Headline } from './Headline.tsx'
import { loadInfo, type LoadedInfo } from './info-texts.ts'
import { Plans } from './Plans.tsx'
import { useSay, type Say } from './Prose.tsx'

async function load({ context }: LoaderFunctionArgs) {
  return loadInfo(context, 'learnMore')
}
export { load as loader, load as clientLoader }

export const handle: PlainHandle = { isPlain: true }

type Info = LoadedInfo<'learnMore'>

export default function LearnMoreScreen() {
  const info = useLoaderData<typeof load>() as Info
  const say = useSay(info)
  return (
    <>
      <PageHead {...info.head} address={page.learnMore} kind="AboutPage" />
      <Poster say={say} days={info.days} />
      <ForVisitors say={say} items={Object.keys(info.texts.visitors.items)} />
      <ForMerchants say={say} steps={Object.keys(info.texts.merchants.steps)} />
      <Plans say={say} rows={info.texts.plans.rows} />
      <Promotion say={say} />
      <End say={say} />
    </>
  )
}

function Poster({ say, days }: { say: Say; days: FestivalDays | null }) {
  return (
    <div data-page="poster" className="river relative overflow-clip border-b-2 border-rule bg-river">
      <RiverScene className="absolute top-0 left-1/2 h-full w-1/2 max-lg:hidden" />
      <div className="shell relative grid gap-6 pt-12 pb-28 md:pt-20 lg:pb-28">
        <h1 className="grid gap-4 text-paper">
          <span className="figure text-lg leading-tight tracking-normal text-lantern">{say('overline')}</span>
          <span className="poster-type max-w-[5.45em]">{say('title')}</span>
        </h1>
        {days && (
          <p className="figure text-lg text-lantern">
            <FestivalDate days={days} />
          </p>
        )}
        <p className="max-w-[38ch] text-lg text-on-deep">{say('lead')}</p>
        <Actions say={say} variant="primary" />
      </div>
      <WaveRule className="absolute inset-x-0 bottom-8 text-coral lg:hidden" />
    </div>
  )
}

function ForVisitors({ say, items }: { say: Say; items: string[] }) {
  return (
    <section id="visitors" aria-labelledby="visitors-title" className="shell scroll-mt-0 py-14 md:py-20">
      <Headline id="visitors-title" title={say('visitors.title')} lead={say('visitors.lead')} />
      <ul className="mt-10 grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3">
        {items.map((item) => (
          <li key={item} className="grid content-start gap-2 border-t-2 border-rule pt-4 pb-8">
            <h3 className="text-xl">{say(`visitors.items.${item}.title`)}</h3>
            <p>{say(`visitors.items.${item}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ForMerchants({ say, steps }: { say: Say; steps: string[] }) {
  return (
    <section
      id="merchants"
      aria-labelledby="merchants-title"
      className="border-y-2 border-rule bg-coral text-on-action"
    >
      <div className="shell py-14 md:py-20">
        <Headline id="merchants-title" title={say('merchants.title')} lead={say('merchants.lead')} />
        <ol className="mt-10 grid gap-8 md:grid-cols-3 md:gap-10">
          {steps.map((step, index) => (
            <li key={step} className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1.5 md:grid-cols-1">
              <span aria-hidden="true" className="poster-type row-span-2 text-night">
                {index + 1}
              </span>
              <h3 className="self-end text-xl">{say(`merchants.steps.${step}.title`)}</h3>
              <p>{say(`merchants.steps.${step}.text`)}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function Promotion({ say }: { say: Say }) {
  return (
    <section
      id="promotion"
      aria-labelledby="promotion-title"
      className="border-y-2 border-rule bg-lantern text-on-lantern"
    >
      <div className="shell grid gap-8 py-14 md:grid-cols-[auto_1fr] md:items-center md:gap-16 md:py-20">
        <p className="grid">
          <span className="poster-type whitespace-nowrap">{say('promotion.price')}</span>
          <span className="figure text-2xl leading-tight">{say('promotion.span')}</span>
        </p>
        <div className="grid max-w-prose gap-3">
          <h2 id="promotion-title">{say('promotion.title')}</h2>
          <p>{say('promotion.text')}</p>
        </div>
      </div>
    </section>
  )
}

function End({ say }: { say: Say }) {
  return (
    <section aria-labelledby="end-title" className="shell grid justify-items-start gap-6 py-16 md:py-24">
      <h2 id="end-title" className="poster-type max-w-[7em]">
        {say('end.title')}
      </h2>
      <p className="max-w-prose text-lg">{say('end.help')}</p>
      <Actions say={say} />
    </section>
  )
}

function Actions({ say, variant }: { say: Say; variant?: 'primary' }) {
  return (
    <p className="flex flex-wrap gap-3">
      <ButtonLink href={page.deals} variant={variant} size="lg">
        {say('actions.deals')}
      </ButtonLink>
      <ButtonLink href={page.businessSignup} size="lg">
        {say('actions.join')}
      </ButtonLink>
    </p>
  )
}
