import 'texts:directions'
import { useTranslations } from 'use-intl'
import { directionsTo } from '../../kit/browser/directions.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import type { Position } from '../../kit/shared/geo.ts'

/** The choice of maps for devices without a maps app. */
export default function DirectionsChoice({
  to,
  name,
  open,
  onClose,
}: {
  to: Position
  name: string
  open: boolean
  onClose: () => void
}) {
  const t = useTranslations('directions')
  return (
    <Dialog open={open} onClose={onClose} title={t('title')} closeLabel={t('close')}>
      {(['web', 'google', 'apple'] as const).map((each) => (
        <ButtonLink key={each} href={directionsTo(to, each, name)} rel="noreferrer" target="_blank" wide>
          {t(each)}
        </ButtonLink>
      ))}
    </Dialog>
  )
}
