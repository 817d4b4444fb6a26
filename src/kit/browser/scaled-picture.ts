/** Longer side of an uploaded picture, px: enough for every size that is shown, with a tenth of a photo's bytes. */
export const sentPictureMaxSide = 2048

/**
 * Scales a picture for upload: at most `sentPictureMaxSide` on its longer side, upright, without metadata. JPEG stays JPEG,
 * other types become WebP; in a browser that writes no WebP (Safari) JPEG, or PNG if the picture is transparent somewhere.
 * A picture that is small enough, or that the browser cannot scale, is returned unchanged.
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
    // a browser that writes no WebP gives PNG, in which a photo is many times larger
    if (scaled?.type === 'image/png' && isOpaque(pen.getImageData(0, 0, width, height)))
      scaled = await write('image/jpeg')
    return scaled ?? file
  } finally {
    picture.close()
  }
}

/** Safari changes each value by up to 3 in private windows, so 250 and more count as opaque. */
function isOpaque({ data }: ImageData): boolean {
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha]! < 250) return false
  return true
}

/** Width and height at most `maxSide`, in the same proportion; never enlarged. */
export function fitInto(size: { width: number; height: number }, maxSide: number) {
  const scale = Math.min(1, maxSide / Math.max(size.width, size.height))
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: scaled(size.width), height: scaled(size.height), isScaled: scale < 1 }
}
