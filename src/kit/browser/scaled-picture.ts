/** Longer side of a picture as it is sent, px: enough for every size in which one is shown, a tenth of the bytes of a photo. */
export const sentPictureMaxSide = 2048

/**
 * The picture as it should be sent: scaled to `sentPictureMaxSide` on its longer side, upright and without metadata; as it
 * is when it is no larger, or cannot be scaled here. JPEG stays JPEG; others become WebP. Where the browser writes no WebP
 * (Safari), they become JPEG, or PNG if a part of them is transparent.
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
    const write = (type: string) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
    let scaled = await write(file.type === 'image/jpeg' ? file.type : 'image/webp')
    // how a browser answers that writes no WebP; a photo is many times larger as PNG
    if (scaled?.type === 'image/png' && isOpaque(pen.getImageData(0, 0, width, height)))
      scaled = await write('image/jpeg')
    return scaled ?? file
  } finally {
    picture.close()
  }
}

/** Private windows of Safari shift each value by up to 3, so the highest ones all count as opaque. */
function isOpaque({ data }: ImageData): boolean {
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha]! < 250) return false
  return true
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
