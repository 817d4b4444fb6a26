import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../../kit/browser/ui/Dialog.tsx'
import { moved, mostZoom, partOf, wholeCrop, type Crop } from './crop.ts'

/** Longer side of the cropped picture that is sent, px. */
const sentPixels = 1600
const steps: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -0.05, y: 0 },
  ArrowRight: { x: 0.05, y: 0 },
  ArrowUp: { x: 0, y: -0.05 },
  ArrowDown: { x: 0, y: 0.05 },
}

/** Crops a picture to a frame of `ratio` (width by height): drag or arrow keys move it, a slider zooms. */
export function CropDialog({
  picture,
  ratio,
  onCrop,
  onClose,
}: {
  picture: ImageBitmap
  ratio: number
  onCrop: (part: Blob) => void
  onClose: () => void
}) {
  const t = useTranslations('pictures')
  const canvas = useRef<HTMLCanvasElement>(null)
  const [crop, setCrop] = useState<Crop>(wholeCrop)
  const dragged = useRef<{ x: number; y: number } | null>(null)
  useEffect(() => {
    const element = canvas.current
    if (element) draw(element, picture, ratio, crop)
  }, [picture, ratio, crop])
  const move = (by: { x: number; y: number }) => setCrop((before) => moved(picture, ratio, before, by))
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    const from = dragged.current
    if (!from) return
    const { width, height } = event.currentTarget.getBoundingClientRect()
    move({ x: (event.clientX - from.x) / width, y: (event.clientY - from.y) / height })
    dragged.current = { x: event.clientX, y: event.clientY }
  }
  const step = (event: KeyboardEvent) => {
    const by = steps[event.key]
    if (!by) return
    event.preventDefault()
    move(by)
  }
  const keep = () => {
    const whole = document.createElement('canvas')
    const part = partOf(picture, ratio, crop)
    whole.width = Math.round(Math.min(sentPixels, part.width))
    whole.height = Math.round(whole.width / ratio)
    draw(whole, picture, ratio, crop)
    whole.toBlob((blob) => blob && onCrop(blob), 'image/jpeg', 0.9)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('crop')}
      closeLabel={t('cancel')}
      actions={
        <>
          <Button variant="primary" onClick={keep}>
            {t('use')}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <canvas
        ref={canvas}
        width={800}
        height={Math.round(800 / ratio)}
        {...{ role: 'application', 'aria-label': t('move') }}
        tabIndex={0}
        onKeyDown={step}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          dragged.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={drag}
        onPointerUp={() => (dragged.current = null)}
        className="w-full cursor-move touch-none rounded-6 border-2 border-rule bg-well"
      />
      <label className="grid gap-1 text-sm font-semibold">
        {t('closer')}
        <input
          type="range"
          min={1}
          max={mostZoom}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => setCrop({ ...crop, zoom: Number(event.target.value) })}
          className="slider"
        />
      </label>
    </Dialog>
  )
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, ratio: number, crop: Crop) {
  const pen = canvas.getContext('2d')
  if (!pen) return
  const { left, top, width, height } = partOf(picture, ratio, crop)
  pen.imageSmoothingQuality = 'high'
  // JPEG has no transparency: transparent parts become white
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height)
}
