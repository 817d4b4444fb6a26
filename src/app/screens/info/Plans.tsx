import type { ReactNode } from 'react'
import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { LanternShape } from '../../../brand/Badge.tsx'
import { ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { page } from '../../../site-map.ts'
import { Headline } from './Headline.tsx'
import type { Say } from './Prose.tsx'

const tiers = ['FREE', 'PREMIUM', 'ULTIMATE'] as const
type Tier = (typeof tiers)[number]

/** The table of plans. On phones the label of a row is above its three cells, so that the table fits without sideways scrolling. */
export function Plans({ say, rows }: { say: Say; rows: Record<string, Record<Tier | 'label', string>> }) {
  return (
    <section id="plans" aria-labelledby="plans-title" className="shell scroll-mt-0 py-14 md:py-20">
      <Headline id="plans-title" title={say('plans.title')} lead={say('plans.lead')} />
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
                    {tier !== 'FREE' && <LanternShape className="size-5 fill-lantern max-sm:hidden" />}
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
