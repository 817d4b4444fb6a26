import { useEffect, useEffectEvent, useRef, useState } from 'react'
import ImagePlus from 'lucide-react/icons/image-plus'
import X from 'lucide-react/icons/x'
import { useTranslations } from 'use-intl'
import { fitInto, sentPictureMaxSide } from '../../kit/browser/scaled-picture.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { FieldError } from '../../kit/browser/ui/Field.tsx'
import { logoMaxBytes } from '../limits.ts'

/** Longer side of the preview: 96 px on a screen with 3 device pixels each. */
const previewPixels = 288
const logoTypes = ['image/png', 'image/jpeg', 'image/webp']

/** The logo field with a preview. With JavaScript, a file that cannot be a logo is reported before it is sent. */
export function LogoField({ error }: { error: string | undefined }) {
  const t = useTranslations('businessSignup')
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const [fault, setFault] = useState<string | null>(null)

  const choose = () => {
    const file = input.current?.files?.[0]
    setPicture(null)
    setFault(null)
    if (!file) return
    if (!logoTypes.includes(file.type)) return refuse(t('logoNoImage'))
    createImageBitmap(file).then(
      async (read) => {
        const isSentAsItIs = !fitInto(read, sentPictureMaxSide).isScaled
        const { width, height } = fitInto(read, previewPixels)
        const preview = await createImageBitmap(read, { resizeWidth: width, resizeHeight: height })
        read.close()
        if (input.current?.files?.[0] !== file) return preview.close()
        if (isSentAsItIs && file.size > logoMaxBytes) return refuse(t('logoTooLarge'))
        setPicture(preview)
      },
      () => refuse(t('logoNoImage')),
    )
  }
  const refuse = (text: string) => {
    if (input.current) input.current.value = ''
    setFault(text)
  }
  // a file may have been chosen before hydration
  const lookAtChosen = useEffectEvent(() => {
    if (input.current?.files?.[0]) choose()
  })
  useEffect(() => lookAtChosen(), [])
  const wrong = fault ?? error
  return (
    <div className="grid gap-1.5">
      <label htmlFor="signup-logo" className="text-sm font-semibold">
        {t('logo')}
      </label>
      <div className="flex flex-wrap items-center gap-4">
        <span className="relative grid size-24 shrink-0 place-items-center overflow-clip rounded-6 border-2 border-rule bg-paper text-night">
          {picture ? (
            <LogoPreview picture={picture} label={t('logoAlt')} />
          ) : (
            <ImagePlus aria-hidden="true" className="size-8" />
          )}
        </span>
        <div className="grid min-w-0 flex-[1_1_9rem] gap-2">
          <input
            ref={input}
            id="signup-logo"
            type="file"
            name="logo"
            accept={logoTypes.join(',')}
            onChange={choose}
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong ? 'signup-logo-error signup-logo-help' : 'signup-logo-help'}
            className="w-full min-w-0 text-sm file:mr-3 file:min-h-11 file:rounded-6 file:border-2 file:border-solid file:border-rule file:bg-surface file:px-4 file:font-semibold file:text-ink hover:file:bg-well"
          />
          {picture && (
            <Button
              variant="quiet"
              icon={<X aria-hidden="true" className="size-5" />}
              className="justify-self-start"
              onClick={() => {
                if (input.current) input.current.value = ''
                choose()
              }}
            >
              {t('logoRemove')}
            </Button>
          )}
        </div>
      </div>
      <FieldError id="signup-logo-error">{wrong}</FieldError>
      <p id="signup-logo-help" className="text-sm text-ink-soft">
        {t('logoHelp')}
      </p>
    </div>
  )
}

/** The preview is a canvas, because an `<img>` would need `blob:` in the CSP. */
function LogoPreview({ picture, label }: { picture: ImageBitmap; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(picture, 0, 0)
  }, [picture])
  return (
    <canvas
      ref={canvas}
      {...{ role: 'img', 'aria-label': label }}
      width={picture.width}
      height={picture.height}
      className="absolute inset-0 size-full object-contain"
    />
  )
}
