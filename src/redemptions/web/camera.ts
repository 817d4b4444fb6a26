/** Why this browser cannot use a camera; null: it may. */
export function cameraFault(): 'insecure' | 'missing' | null {
  if (!isSecureContext) return 'insecure'
  return typeof navigator.mediaDevices?.getUserMedia === 'function' ? null : 'missing'
}

/** The camera on the back of a phone, or the only one. @throws DOMException when it is refused or in use */
export function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  })
}

/** Reads the present picture of the video; null: no QR code in it. */
export type ReadPicture = (video: HTMLVideoElement) => Promise<string | null>

/** Uses the browser's own detector, or else loads a decoder in JavaScript. */
export async function pictureReader(): Promise<ReadPicture> {
  return (await ownDetector()) ?? (await decoder())
}

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

async function ownDetector(): Promise<ReadPicture | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  try {
    // some systems have the class but support no format
    if (!BarcodeDetector || !(await BarcodeDetector.getSupportedFormats()).includes('qr_code')) return null
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? null
  } catch {
    return null
  }
}

/** Pixels at the longer side: enough for a code that fills a third of the picture. */
const longest = 960

async function decoder(): Promise<ReadPicture> {
  const { decodeQR } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    const { videoWidth, videoHeight } = video
    if (!context || videoWidth === 0) return null
    const scale = Math.min(1, longest / Math.max(videoWidth, videoHeight))
    canvas.width = Math.round(videoWidth * scale)
    canvas.height = Math.round(videoHeight * scale)
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
    try {
      return decodeQR({ data, width, height })
    } catch {
      // the decoder throws when there is no code
      return null
    }
  }
}
