import { use, useEffect, useId, useRef, useState } from 'react'
import ImagePlus from 'lucide-react/icons/image-plus'
import { useTranslations } from 'use-intl'
import { ask, type CallResult } from '../../../kit/browser/ask.ts'
import { callByFetch } from '../../../kit/browser/call-endpoint.ts'
import { scaledPicture } from '../../../kit/browser/scaled-picture.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { FieldError } from '../../../kit/browser/ui/Field.tsx'
import type { AnyEndpoint } from '../../../kit/shared/endpoint.ts'
import { uploadPicture } from '../../contract/editing.ts'
import { CropDialog } from './CropDialog.tsx'
import { Uploading } from './uploading.ts'

const types = 'image/png,image/jpeg,image/webp'

const uploadOfMerchant = (file: Blob) => ask(callByFetch, uploadPicture, { as: 'action', body: {}, files: { file } })

/**
 * Chooses a picture, crops it if there is a frame, and uploads it; `onUploaded` gets its path. A picture that the browser cannot
 * read is sent as it is: the server decides.
 */
export function PictureButton({
  label,
  ratio,
  onUploaded,
  upload = uploadOfMerchant,
}: {
  label: string
  /** Width by height of the frame; default: the whole picture. */
  ratio?: number
  onUploaded: (path: string) => void
  /** The upload; default: to the pictures of the merchant. */
  upload?: (file: Blob) => Promise<CallResult<AnyEndpoint, { url: string }>>
}) {
  const t = useTranslations('pictures')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const [sending, setSending] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const countUploading = use(Uploading)
  // the latest callback: the form may change during the upload
  const uploaded = useRef(onUploaded)
  useEffect(() => {
    uploaded.current = onUploaded
  })

  const send = async (file: Blob | Promise<Blob>) => {
    setSending(true)
    countUploading(1)
    try {
      const { answer, refused } = await upload(await file)
      if (refused) setFault(refused.fields?.['file'] ?? (refused.error || t('failed')))
      else uploaded.current(answer.body.url)
    } finally {
      setSending(false)
      countUploading(-1)
    }
  }
  const choose = async () => {
    const file = input.current?.files?.[0]
    if (!file) return
    // lets the same file be chosen again
    input.current!.value = ''
    setFault(null)
    const read = ratio === undefined ? null : await createImageBitmap(file).catch(() => null)
    if (read) setPicture(read)
    else await send(scaledPicture(file))
  }
  const close = () => {
    picture?.close()
    setPicture(null)
  }
  return (
    <div className="grid gap-1.5">
      <input ref={input} id={id} type="file" accept={types} onChange={() => void choose()} hidden />
      <Button
        className="justify-self-start"
        icon={<ImagePlus aria-hidden="true" className="size-5" />}
        loading={sending}
        loadingText={t('sending')}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <FieldError id={`${id}-error`}>{fault}</FieldError>
      {picture && (
        <CropDialog
          picture={picture}
          ratio={ratio!}
          onClose={close}
          onCrop={(part) => {
            close()
            void send(part)
          }}
        />
      )}
    </div>
  )
}
