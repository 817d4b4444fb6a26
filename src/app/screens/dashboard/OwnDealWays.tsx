import { Archive, Copy, Pause, Play } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { OwnDeal } from '../../../deals/web/editing/calls.ts'
import { Button, IconButton } from '../../../kit/browser/ui/Button.tsx'
import { dealPage, editDealPage } from '../../../site-map.ts'
import { wayBack, type Actions } from './use-deal-actions.ts'
import { Way } from './Way.tsx'

/**
 * What can be done with a deal: look, edit, and each of the taps. Of one that was archived just now its way back, in the same
 * room and away from the tap that archived it.
 */
export function OwnDealWays({
  deal,
  busy,
  act,
  archivedOf,
  className,
}: { deal: OwnDeal; className: string } & Actions) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  const archived = archivedOf(deal)
  return (
    <span className="relative block">
      <span className={`${className} ${archived ? 'invisible' : ''}`}>
        <Way href={detailsOf(deal)}>{t('view')}</Way>
        <Way href={editDealPage(deal.deal_id)}>{t('edit')}</Way>
        <Buttons deal={deal} busy={busy} act={act} />
      </span>
      {archived && (
        <span className="absolute top-0 left-0">
          <Button
            aria-label={own('undoArchive', { name: deal.deal_name })}
            disabled={archived.isComing || busy === deal.deal_id}
            onClick={() => act(deal, wayBack(deal))}
          >
            {own('undo')}
          </Button>
        </span>
      )}
    </span>
  )
}

/** Visitors see no draft, so its details are where it is edited. */
const detailsOf = (deal: OwnDeal) => (deal.status === 'draft' ? editDealPage(deal.deal_id) : dealPage(deal.deal_id))

function Buttons({ deal, busy, act }: { deal: OwnDeal } & Pick<Actions, 'busy' | 'act'>) {
  const own = useTranslations('ownDeals')
  const isBusy = busy === deal.deal_id
  const name = deal.deal_name
  const runs = ['active', 'scheduled', 'sold_out'].includes(deal.status)
  return (
    <span className="-ml-2 inline-flex max-lg:flex-wrap">
      {runs && (
        <IconButton
          label={own('pause', { name })}
          icon={<Pause aria-hidden="true" className="size-5" />}
          disabled={isBusy}
          onClick={() => act(deal, 'pause')}
        />
      )}
      {(deal.status === 'paused' || deal.status === 'draft') && (
        <IconButton
          label={deal.status === 'draft' ? own('publish', { name }) : own('resume', { name })}
          icon={<Play aria-hidden="true" className="size-5" />}
          disabled={isBusy}
          onClick={() => act(deal, 'resume')}
        />
      )}
      <IconButton
        label={own('copy', { name })}
        icon={<Copy aria-hidden="true" className="size-5" />}
        disabled={isBusy}
        onClick={() => act(deal, 'duplicate')}
      />
      <IconButton
        label={own('archive', { name })}
        icon={<Archive aria-hidden="true" className="size-5" />}
        disabled={isBusy}
        onClick={() => act(deal, 'archive')}
      />
    </span>
  )
}
