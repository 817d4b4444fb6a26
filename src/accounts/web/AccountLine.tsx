import X from 'lucide-react/icons/x'
import type { LucideIcon } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { TopLine } from '../../kit/browser/ui/TopLine.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

/** A line about the account below the header: a text or why its action was refused, the action, and a button that hides the line. */
export function AccountLine({
  about,
  Icon,
  text,
  refused,
  action,
  onHide,
}: {
  about: 'deletionLine' | 'verifyLine'
  Icon: LucideIcon
  text: string
  refused?: RefusedAnswer | null
  action?: { label: string; isSending: boolean; run: () => Promise<void> } | undefined
  onHide?: () => void
}) {
  const t = useTranslations(about)
  return (
    <TopLine
      label={t('title')}
      Icon={Icon}
      end={
        onHide && (
          <IconButton
            label={t('hide')}
            icon={<X aria-hidden="true" className="size-5" />}
            onClick={onHide}
            className="-mr-[12px] self-start"
          />
        )
      }
    >
      <output>{refused ? refused.error || t(refused.status === 0 ? 'offline' : 'failed') : text}</output>{' '}
      {action && (
        <button
          type="button"
          onClick={() => void action.run()}
          disabled={action.isSending}
          aria-busy={action.isSending || undefined}
          className="link target font-semibold"
        >
          {action.isSending ? t('sending') : action.label}
        </button>
      )}
    </TopLine>
  )
}
