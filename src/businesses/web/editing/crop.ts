/** A crop: its middle as parts of width and height, and the zoom. */
export interface Crop {
  x: number
  y: number
  /** 1: the largest part that fills the frame. */
  zoom: number
}

export const wholeCrop: Crop = { x: 0.5, y: 0.5, zoom: 1 }
export const mostZoom = 4

interface Size {
  width: number
  height: number
}

/** The part of the picture in px that fills a frame of `ratio` (width by height), within its edges. */
export function partOf(picture: Size, ratio: number, { x, y, zoom }: Crop): Size & { left: number; top: number } {
  const width = Math.min(picture.width, picture.height * ratio) / zoom
  const height = width / ratio
  const within = (middle: number, part: number, whole: number) =>
    Math.max(0, Math.min(whole - part, middle * whole - part / 2))
  return { width, height, left: within(x, width, picture.width), top: within(y, height, picture.height) }
}

/** The crop after a move by parts of the frame, within the edges. */
export function moved(picture: Size, ratio: number, crop: Crop, by: { x: number; y: number }): Crop {
  const part = partOf(picture, ratio, crop)
  const next = partOf(picture, ratio, {
    ...crop,
    x: (part.left + part.width / 2 - by.x * part.width) / picture.width,
    y: (part.top + part.height / 2 - by.y * part.height) / picture.height,
  })
  return {
    ...crop,
    x: (next.left + next.width / 2) / picture.width,
    y: (next.top + next.height / 2) / picture.height,
  }
}
