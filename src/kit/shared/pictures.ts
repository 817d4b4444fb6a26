import type { RefusalKind } from './refusal.ts'

/** Longer side of a picture that pages show large, after it was made anew, px. */
export const pictureMaxPixels = 1600
export const pictureMaxBytes = 8 * 1024 * 1024
/** Width by height of any picture that people send, logos and pictures of posts too: twice a photo of a phone. */
export const pictureMostPixels = 25_000_000

/** No PNG, JPEG or WebP by its bytes, or a broken one. */
export const pictureNoImage = { code: 'picture_no_image', status: 422 } as const satisfies RefusalKind
export const pictureTooManyPixels = { code: 'picture_too_many_pixels', status: 422 } as const satisfies RefusalKind
