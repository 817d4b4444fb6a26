import { useEffect, useRef, type Ref } from 'react'
import Archive from 'lucide-react/icons/archive'
import Copy from 'lucide-react/icons/copy'
import Eye from 'lucide-react/icons/eye'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import { useTranslations } from 'use-intl'
import type { OwnDeal } from '../../../deals/contract.ts'
import { Button, IconButton } from '../../../kit/browser/ui/Button.tsx'
import { Menu } from '../../../kit/browser/ui/Menu.tsx'
import { dealPage, editDealPage } from '../../../site-map.ts'
import { undoTapOf, type Actions } from './use-deal-actions.ts'
import { TextLink } from './TextLink.tsx'

/**
 * Links and buttons of a deal: view, edit, pause, copy, archive. After archiving an undo button, in the same space but away from
 * the archive button, so that a double tap does not undo.
 */
export function OwnDealActions({
  deal,
  busy,
  act,
  archivedOf,
  className,
}: { deal: OwnDeal; className: string } & Actions) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  const archived = archivedOf(deal)
  const isArchived = archived !== null
  const wasArchived = useRef(isArchived)
  const undoButton = useRef<HTMLButtonElement>(null)
  const archiveButton = useRef<HTMLButtonElement>(null)
  // the tapped button disappears: the focus moves to the button that undoes it
  useEffect(() => {
    if (wasArchived.current === isArchived) return
    wasArchived.current = isArchived
    const { activeElement, body } = document
    if (activeElement !== body && activeElement !== archiveButton.current) return
    const next = isArchived ? undoButton : archiveButton
    next.current?.focus({ preventScroll: true })
  }, [isArchived])
  return (
    <span className="relative block">
      <span className={`${className} ${archived ? 'invisible' : ''}`}>
        <TextLink href={detailsOf(deal)}>{t('view')}</TextLink>
        <TextLink href={editDealPage(deal.deal_id)}>{t('edit')}</TextLink>
        <Buttons deal={deal} busy={busy} act={act} archiveButton={archiveButton} />
      </span>
      {archived && (
        <span className="absolute top-0 left-0">
          <Button
            ref={undoButton}
            aria-label={own('undoArchive', { name: deal.deal_name })}
            disabled={archived.isComing || busy === deal.deal_id}
            onClick={() => act(deal, undoTapOf(deal))}
          >
            {own('undo')}
          </Button>
        </span>
      )}
    </span>
  )
}

/** A draft has no public page, so "view" opens the form. */
const detailsOf = (deal: OwnDeal) => (deal.status === 'draft' ? editDealPage(deal.deal_id) : dealPage(deal.deal_id))

/** The same as one menu, for dense lists. */
export function OwnDealMenu({ deal, busy, act, archivedOf }: { deal: OwnDeal } & Actions) {
  const t = useTranslations('dashboard')
  const own = useTranslations('ownDeals')
  const name = deal.deal_name
  const archived = archivedOf(deal)
  const isArchived = archived !== null
  const wasArchived = useRef(isArchived)
  const root = useRef<HTMLDivElement>(null)
  // the tapped button disappears: the focus moves to the button in its place
  useEffect(() => {
    if (wasArchived.current === isArchived) return
    wasArchived.current = isArchived
    if (document.activeElement === document.body) root.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [isArchived])
  const isBusy = busy === deal.deal_id
  const tap = (kind: 'pause' | 'resume' | 'duplicate' | 'archive') => () => void (isBusy || act(deal, kind))
  const toggle = toggleOf(deal)
  return (
    <div ref={root} className="pr-1">
      {archived ? (
        <Button
          aria-label={own('undoArchive', { name })}
          disabled={archived.isComing || isBusy}
          onClick={() => act(deal, undoTapOf(deal))}
        >
          {own('undo')}
        </Button>
      ) : (
        <Menu
          label={own('more')}
          name={own('moreOf', { name })}
          entries={[
            { label: t('view'), icon: <Eye aria-hidden="true" />, href: detailsOf(deal) },
            { label: t('edit'), icon: <Pencil aria-hidden="true" />, href: editDealPage(deal.deal_id) },
            ...(toggle
              ? [
                  {
                    label: own(toggle, { name }),
                    icon: toggle === 'pause' ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />,
                    onSelect: tap(toggle === 'pause' ? 'pause' : 'resume'),
                  },
                ]
              : []),
            { label: own('copy', { name }), icon: <Copy aria-hidden="true" />, onSelect: tap('duplicate') },
            { label: own('archive', { name }), icon: <Archive aria-hidden="true" />, onSelect: tap('archive') },
          ]}
          listClassName="max-w-[calc(100vw-3rem)] w-max wrap-anywhere"
        />
      )}
    </div>
  )
}

/** What the first button of a deal does; null: it has none. A deal that is over because of its hours still counts for the tier's limit. */
function toggleOf(deal: OwnDeal): 'pause' | 'publish' | 'resume' | null {
  if (['active', 'scheduled', 'sold_out'].includes(deal.status) || (deal.status === 'expired' && deal.uses_place))
    return 'pause'
  if (deal.status === 'draft') return 'publish'
  return deal.status === 'paused' ? 'resume' : null
}

function Buttons({
  deal,
  busy,
  act,
  archiveButton,
}: { deal: OwnDeal; archiveButton: Ref<HTMLButtonElement> } & Pick<Actions, 'busy' | 'act'>) {
  const own = useTranslations('ownDeals')
  // aria-disabled, because a disabled button loses the focus
  const isBusy = busy === deal.deal_id
  const tap = (kind: 'pause' | 'resume' | 'duplicate' | 'archive') => ({
    'aria-disabled': isBusy,
    className: 'aria-disabled:opacity-55',
    onClick: () => !isBusy && act(deal, kind),
  })
  const name = deal.deal_name
  const toggle = toggleOf(deal)
  return (
    <span className="-ml-2 inline-flex max-lg:flex-wrap">
      {toggle && (
        // one button for both, so that the focus stays when it changes
        <IconButton
          label={own(toggle, { name })}
          icon={
            toggle === 'pause' ? (
              <Pause aria-hidden="true" className="size-5" />
            ) : (
              <Play aria-hidden="true" className="size-5" />
            )
          }
          {...tap(toggle === 'pause' ? 'pause' : 'resume')}
        />
      )}
      <IconButton
        label={own('copy', { name })}
        icon={<Copy aria-hidden="true" className="size-5" />}
        {...tap('duplicate')}
      />
      <IconButton
        ref={archiveButton}
        label={own('archive', { name })}
        icon={<Archive aria-hidden="true" className="size-5" />}
        {...tap('archive')}
      />
    </span>
  )
}
