import ArrowLeft from 'lucide-react/icons/arrow-left'
import X from 'lucide-react/icons/x'
import { useTranslations } from 'use-intl'
import { IconButton } from '../../../kit/browser/ui/Button.tsx'
import { FieldError } from '../../../kit/browser/ui/Field.tsx'
import { mostPhotos } from '../../limits.ts'
import { PictureButton } from './PictureButton.tsx'

/** Up to six photos, in the order that visitors see. */
export function PhotosField({
  photos,
  onChange,
  error,
}: {
  photos: string[]
  onChange: (photos: string[]) => void
  error: string | undefined
}) {
  const t = useTranslations('pictures')
  return (
    <div className="grid gap-3">
      {photos.length > 0 && (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {photos.map((path, at) => (
            <li key={path} className="relative aspect-[4/3] overflow-clip rounded-6 border-2 border-rule bg-well">
              <img src={path} alt={t('photo', { n: at + 1 })} className="absolute inset-0 size-full object-cover" />
              <span className="absolute right-1 bottom-1 flex gap-1">
                {at > 0 && (
                  <IconButton
                    label={t('earlier', { n: at + 1 })}
                    icon={<ArrowLeft aria-hidden="true" className="size-5" />}
                    className="bg-surface"
                    onClick={() =>
                      onChange([...photos.slice(0, at - 1), path, photos[at - 1]!, ...photos.slice(at + 1)])
                    }
                  />
                )}
                <IconButton
                  label={t('removePhoto', { n: at + 1 })}
                  icon={<X aria-hidden="true" className="size-5" />}
                  className="bg-surface"
                  onClick={() => onChange(photos.filter((each) => each !== path))}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      <FieldError id="photos-error">{error}</FieldError>
      {photos.length < mostPhotos ? (
        <PictureButton label={t('addPhoto')} ratio={4 / 3} onUploaded={(path) => onChange([...photos, path])} />
      ) : (
        <p className="text-sm text-ink-soft">{t('fullPhotos')}</p>
      )}
    </div>
  )
}
