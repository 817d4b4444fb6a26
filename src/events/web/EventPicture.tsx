import X from 'lucide-react/icons/x'
import { useTranslations } from 'use-intl'
import { PictureButton } from '../../businesses/web/editing/PictureButton.tsx'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { FieldError } from '../../kit/browser/ui/Field.tsx'
import { ownPicture } from './event-picture.ts'
import { uploadEventPicture } from '../contract.ts'

const upload = (file: Blob) => ask(callByFetch, uploadEventPicture, { as: 'action', body: {}, files: { file } })

/** The picture field of the staff form: choose, crop to the frame of page and cards, remove. */
export function EventPicture({
  image,
  error,
  onChange,
}: {
  /** '' shows the drawn poster. */
  image: string
  error: string | undefined
  onChange: (image: string) => void
}) {
  const t = useTranslations('adminEvents')
  const picture = ownPicture(image)
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1.5 text-sm font-semibold">{t('picture')}</legend>
      {picture ? (
        <span className="relative block aspect-[4/3] w-full max-w-72 overflow-clip rounded-6 border-2 border-rule bg-well">
          <img src={picture} alt={t('pictureAlt')} className="absolute inset-0 size-full object-cover" />
        </span>
      ) : (
        <p className="text-sm text-ink-soft">{t('pictureHelp')}</p>
      )}
      <div className="flex flex-wrap gap-3">
        <PictureButton
          label={t(image ? 'otherPicture' : 'choosePicture')}
          ratio={4 / 3}
          upload={upload}
          onUploaded={onChange}
        />
        {image && (
          <Button variant="quiet" icon={<X aria-hidden="true" className="size-5" />} onClick={() => onChange('')}>
            {t('noPicture')}
          </Button>
        )}
      </div>
      <FieldError id="image-error">{error}</FieldError>
    </fieldset>
  )
}
