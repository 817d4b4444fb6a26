import type { RefusalKind } from './refusal.ts'

/** Longer side of a stored picture that pages show large, px. */
export const pictureMaxPixels = 1600
export const pictureMaxBytes = 8 * 1024 * 1024
/** Most pixels of any uploaded picture: twice a phone's photo. */
export const pictureMostPixels = 25_000_000

/** The bytes are not a whole PNG, JPEG or WebP. */
export const pictureNoImage = { code: 'picture_no_image', status: 422 } as const satisfies RefusalKind
export const pictureTooManyPixels = { code: 'picture_too_many_pixels', status: 422 } as const satisfies RefusalKind
