/** Longer side of a picture as it is sent, px: enough for every size in which one is shown, a tenth of the bytes of a photo. */
export const sentPictureMaxSide = 2048

/**
 * The picture as it should be sent: scaled to `sentPictureMaxSide` on its longer side, upright and without metadata; as it
 * is when it is no larger, or cannot be scaled here. JPEG stays JPEG; others become WebP, or PNG where the browser writes no
 * WebP, so that they stay transparent.
 */
export async function scaledPicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return file
  try {
    const { width, height, isScaled } = fitInto(picture, sentPictureMaxSide)
    if (!isScaled) return file
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const pen = canvas.getContext('2d')
    if (!pen) return file
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(picture, 0, 0, width, height)
    const type = file.type === 'image/jpeg' ? file.type : 'image/webp'
    const scaled = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
    return scaled ?? file
  } finally {
    picture.close()
  }
}

/** Width and height at most `maxSide`, in the same proportion; never enlarged. */
export function fitInto(size: { width: number; height: number }, maxSide: number) {
  const scale = Math.min(1, maxSide / Math.max(size.width, size.height))
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ]
  return { width, height, isScaled: scale < 1 }
}
