import type { ReactNode } from 'react'
import { Check, Minus } from 'lucide-react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { PageHead } from '../../../kit/browser/PageHead.tsx'
import { StarShape } from '../../../brand/Badge.tsx'
import type { FestivalDays } from '../../../brand/festival-days.ts'
import { FestivalDate } from '../../../brand/FestivalDate.tsx'
import { ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { RiverScene } from '../../../brand/RiverScene.tsx'
import { WaveRule } from '../../../kit/browser/ui/WaveRule.tsx'
import { page } from '../../../site-map.ts'
import type { PlainHandle } from '../../boot/plain.ts'
import { loadInfo, type LoadedInfo } from './info-texts.ts'
import { Soon, useSay, type Say } from './Prose.tsx'

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
    <div className="river relative overflow-clip border-b-2 border-rule bg-river">
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
        <p className="flex flex-wrap gap-3">
          <ButtonLink href={page.deals} variant="primary" size="lg">
            {say('actions.deals')}
          </ButtonLink>
          <ButtonLink href={page.businessSignup} size="lg">
            {say('actions.join')}
          </ButtonLink>
        </p>
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
            <div className="flex flex-wrap items-center gap-3">
              <h3 className="text-xl">{say(`visitors.items.${item}.title`)}</h3>
              <Soon on="learnMore" anchor={item} />
            </div>
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
        <Headline
          id="merchants-title"
          title={say('merchants.title')}
          lead={say('merchants.lead')}
          mark={<Soon on="learnMore" anchor="merchants" />}
        />
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

const tiers = ['FREE', 'PREMIUM', 'ULTIMATE'] as const
type Tier = (typeof tiers)[number]

/** On phones each line is named above its three cells, so the table fits without scrolling sideways. */
function Plans({ say, rows }: { say: Say; rows: Record<string, Record<Tier | 'label', string>> }) {
  return (
    <section id="plans" aria-labelledby="plans-title" className="shell scroll-mt-0 py-14 md:py-20">
      <Headline
        id="plans-title"
        title={say('plans.title')}
        lead={say('plans.lead')}
        mark={<Soon on="learnMore" anchor="plans" />}
      />
      <div className="mt-10 overflow-clip rounded-6 border-2 border-rule bg-surface">
        <table className="w-full table-fixed border-collapse text-left">
          <caption className="sr-only">{say('plans.caption')}</caption>
          <thead>
            <tr>
              <th scope="col" className="w-2/5 px-4 font-semibold text-ink-soft max-md:hidden">
                {say('plans.included')}
              </th>
              {tiers.map((tier) => (
                <th key={tier} scope="col" className={`px-2 py-4 sm:px-4 ${heads[tier]}`}>
                  <span className="figure flex items-center gap-2 text-[clamp(0.5rem,min(0.9375rem,3.85vw),1.44rem)] sm:text-[clamp(0.9375rem,0.5rem+2vw,1.44rem)]">
                    {tier !== 'FREE' && <StarShape className="size-5 fill-lantern max-sm:hidden" />}
                    {tier}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {Object.entries(rows).map(([row, cells]) => (
            <PlanRow key={row} say={say} row={row} cells={cells} />
          ))}
        </table>
      </div>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-x-10 gap-y-5">
        <p className="max-w-prose text-ink-soft">{say('plans.note')}</p>
        <ButtonLink href={page.businessSignup} size="lg">
          {say('plans.action')}
        </ButtonLink>
      </div>
    </section>
  )
}

const heads: Record<Tier, string> = {
  FREE: 'bg-well text-ink',
  PREMIUM: 'bg-river text-paper',
  ULTIMATE: 'bg-night text-paper',
}

function PlanRow({ say, row, cells }: { say: Say; row: string; cells: Record<Tier | 'label', string> }) {
  const path = `plans.rows.${row}`
  const label = say(`${path}.label`)
  return (
    <tbody className="border-t-2 border-hair">
      <tr className="md:hidden">
        <th scope="rowgroup" colSpan={tiers.length} className="px-2 pt-3 text-sm font-semibold text-ink-soft sm:px-4">
          {label}
        </th>
      </tr>
      <tr>
        <th scope="row" className="px-4 py-3 font-semibold max-md:hidden">
          {label}
        </th>
        {tiers.map((tier) => (
          <td key={tier} className="px-2 py-3 align-middle sm:px-4">
            {cells[tier] === '+' ? (
              <Mark says={say('plans.included')}>
                <Check className="size-6 text-moss-text" strokeWidth={3} />
              </Mark>
            ) : cells[tier] === '-' ? (
              <Mark says={say('plans.notIncluded')}>
                <Minus className="size-6 text-ink-soft" />
              </Mark>
            ) : (
              <span className={row === 'price' ? 'figure sm:text-lg' : ''}>{say(`${path}.${tier}`)}</span>
            )}
          </td>
        ))}
      </tr>
    </tbody>
  )
}

function Mark({ says, children }: { says: ReactNode; children: ReactNode }) {
  return (
    <>
      <span aria-hidden="true">{children}</span>
      <span className="sr-only">{says}</span>
    </>
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
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <h2 id="promotion-title">{say('promotion.title')}</h2>
            <Soon on="learnMore" anchor="promotion" />
          </div>
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
      <p className="flex flex-wrap gap-3">
        <ButtonLink href={page.deals} size="lg">
          {say('actions.deals')}
        </ButtonLink>
        <ButtonLink href={page.businessSignup} size="lg">
          {say('actions.join')}
        </ButtonLink>
      </p>
    </section>
  )
}

function Headline({ id, title, lead, mark }: { id: string; title: ReactNode; lead: ReactNode; mark?: ReactNode }) {
  return (
    <div className="grid gap-3">
      {mark}
      <h2 id={id} className="max-w-[20ch] text-4xl">
        {title}
      </h2>
      <p className="max-w-prose text-lg">{lead}</p>
    </div>
  )
}
