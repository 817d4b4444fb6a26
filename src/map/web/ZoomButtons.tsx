import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { useTranslations } from 'use-intl'
import { IconButton } from '../../kit/browser/ui/Button.tsx'

export function ZoomButtons({ zoomBy }: { zoomBy: (steps: number) => void }) {
  const t = useTranslations('map')
  return (
    <div className="grid overflow-clip rounded-6 border-2 border-rule bg-surface has-focus-visible:overflow-visible">
      <IconButton
        label={t('zoomIn')}
        icon={<Plus aria-hidden="true" className="size-5" />}
        onClick={() => zoomBy(1)}
        className="rounded-b-none"
      />
      <IconButton
        label={t('zoomOut')}
        icon={<Minus aria-hidden="true" className="size-5" />}
        onClick={() => zoomBy(-1)}
        className="rounded-t-none border-t-2 border-t-rule"
      />
    </div>
  )
}
